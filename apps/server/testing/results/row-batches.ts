import { createHash } from 'node:crypto'
import type { EngineResult, RowBatch } from '../../src/model/result.ts'
import { seededRandom } from '../seeded-random.ts'
import type { StoredResult } from '../../src/results/result-store.ts'

/** A result as an engine would return it. */
export function resultOf(batches: AsyncIterable<RowBatch> | Iterable<RowBatch>): EngineResult {
  return {
    fields: [{ name: 'n', type: 'integer' }],
    batches: (async function* () {
      yield* batches
    })(),
    statistics: () => ({ rowsRead: null, rowsWritten: null }),
  }
}

export const batch = (...rows: string[]): RowBatch => ({ rowCount: rows.length, json: Buffer.from(rows.join(',')) })

/** Rows that hardly compress, so that the stored result is large too: about 0.4 MB per batch. */
export function* noise(batchCount: number): Generator<RowBatch> {
  const batches = (noises ??= [1, 2, 3, 4].map((seed) => batch(noiseRow(`${seed} a`), noiseRow(`${seed} b`))))
  for (let number = 0; number < batchCount; number++) yield batches[number % batches.length]!
}

/** Created once. Repeating a text beyond zstd's window, a megabyte, compresses no better than different texts. */
let noises: RowBatch[] | undefined

function noiseRow(seed: string): string {
  const random = seededRandom(seed)
  return `["${Array.from({ length: 192 }, () => Buffer.from(random.bytes(1024)).toString('base64')).join('')}"]`
}

export async function readAll(stored: StoredResult | undefined): Promise<Buffer> {
  if (Buffer.isBuffer(stored!.bytes)) return stored!.bytes
  return Buffer.concat(await stored!.bytes.toArray())
}

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url')
