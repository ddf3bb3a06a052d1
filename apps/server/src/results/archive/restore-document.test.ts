import { createCipheriv, createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readAll } from '../../../testing/results/row-batches.ts'
import type { ChainLink } from '../../model/history.ts'
import { type ArchiveBytes, makeArchiveBytes } from './archive-bytes.ts'
import { encodeDifference } from './encode-difference.ts'
import { makeFilePlace } from './file-place.ts'
import { atOnce } from './in-turns.ts'
import { ArchiveDamaged } from './number-bytes.ts'
import { joined, restoreDocument } from './restore-document.ts'
import { restoreResult } from './restore-result.ts'
import { findRows } from './row-document.ts'
import { pack, packStream } from './zstd.ts'

let folder: string
let archive: ArchiveBytes
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'restore-'))
  archive = makeArchiveBytes({ places: { files: makeFilePlace({ folder: path.join(folder, 'archive') }) }, writeTo: 'files' })
})
afterEach(() => rm(folder, { recursive: true }))

async function* pieces(...bytes: Buffer[]): AsyncGenerator<Buffer> {
  yield* bytes
}

/** A document of rows that hardly compress. */
function documentOf(changes: Record<number, string> = {}): Buffer {
  const noise = createCipheriv('aes-256-ctr', 'x'.repeat(32), Buffer.alloc(16)).update(Buffer.alloc(1_500_000)).toString('base64')
  const rows = Array.from({ length: 2000 }, (_, row) => [row, changes[row] ?? noise.slice(row * 1000, (row + 1) * 1000)])
  return Buffer.from(`{"fields":[],"rows":${JSON.stringify(rows)},"rowCount":${rows.length}}`)
}

async function store(id: string, document: Buffer, packed: AsyncIterable<Buffer>): Promise<ChainLink> {
  const storedBytes = await archive.write({ id, bytes: packed, onUpload: async () => {} })
  const contentHash = createHash('sha256').update(document).digest('base64url')
  return { id, place: 'files', storedBytes, documentBytes: document.length, contentHash }
}

/** A document and a later one that builds on it. */
async function storeChain() {
  const [one, other] = [documentOf(), documentOf({ 7: 'changed', 1900: 'too' })]
  const difference = encodeDifference(atOnce(findRows(one))!, atOnce(findRows(other))!)
  const whole = await store('arc_whole', one, packStream(pieces(one.subarray(0, 1000), one.subarray(1000))))
  return { one, other, whole, difference: await store('arc_difference', other, pieces(await pack(difference))) }
}

test('restores a whole document, and one that builds on it', async () => {
  const { one, other, whole, difference } = await storeChain()
  expect((await joined(restoreDocument(archive, [whole]))).equals(one)).toBe(true)
  expect((await joined(restoreDocument(archive, [whole, difference]))).equals(other)).toBe(true)
  expect(difference.storedBytes).toBeLessThan(2000)
})

test('a restored result is a file that nobody sees, or a buffer if it is small', async () => {
  const { other, whole, difference } = await storeChain()
  const temporaryDirectory = path.join(folder, 'temporary')
  const large = await restoreResult(restoreDocument(archive, [whole, difference]), { temporaryDirectory })
  expect(await readdir(temporaryDirectory)).toEqual([])
  const bytes = await readAll(large)
  expect([bytes.length, gunzipSync(bytes).equals(other)]).toEqual([large.sizeBytes, true])
  const small = await restoreResult(pieces(Buffer.from('{}')), { temporaryDirectory })
  expect(gunzipSync(small.bytes as Buffer).toString()).toBe('{}')
})

test.each(['arc_whole', 'arc_difference'])('detects every kind of damage to %s before anything can be read', async (id) => {
  const { whole, difference } = await storeChain()
  const file = path.join(folder, 'archive', `${id}.zst`)
  const intact = await readFile(file)
  const flipped = Buffer.from(intact)
  flipped[Math.floor(flipped.length / 2)]! ^= 4
  const temporaryDirectory = path.join(folder, 'temporary')
  for (const damaged of [flipped, intact.subarray(1), Buffer.alloc(0), Buffer.alloc(intact.length)]) {
    await writeFile(file, damaged)
    await expect(restoreResult(restoreDocument(archive, [whole, difference]), { temporaryDirectory })).rejects.toThrow(ArchiveDamaged)
  }
  await writeFile(file, intact)
  // Another document than the one that was stored.
  const exchanged = { ...difference, contentHash: whole.contentHash }
  await expect(restoreResult(restoreDocument(archive, [whole, exchanged]), { temporaryDirectory })).rejects.toThrow(ArchiveDamaged)
})
