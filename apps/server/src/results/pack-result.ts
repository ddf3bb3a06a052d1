import { createHash } from 'node:crypto'
import type { EngineResult } from '../model/result.ts'
import { compress } from './compress.ts'
import { encodeResult } from './encode-result.ts'
import type { WrittenResult } from './result-store.ts'
import type { ResultLimits } from './result-too-large.ts'

/** The compressed bytes to store, streamed from the engine's rows, and their size and hash once all have been read. */
export function packResult(
  result: EngineResult,
  options: { limits: ResultLimits; onRows?: ((rowCountSoFar: number) => void) | undefined },
) {
  const { pieces, rowCount } = encodeResult(result, options)
  const hash = createHash('sha256')
  let sizeBytes = 0
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const bytes of compress(pieces())) {
      hash.update(bytes)
      sizeBytes += bytes.length
      yield bytes
    }
  }
  const written = (): WrittenResult => ({ rowCount: rowCount(), sizeBytes, hash: hash.digest('base64url') })
  return { bytes: measured(), sizeBytes: () => sizeBytes, written }
}
