import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ParquetWriter } from '../../engines/duckdb/parquet/writer.ts'
import type { StoredResult } from '../../results/result-store.ts'
import { makeInputFiles } from './input-files.ts'

let folder: string
let written: number
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-inputs-'))
  written = 0
})
afterEach(() => rm(folder, { recursive: true }))

const parquet: Pick<ParquetWriter, 'write'> = {
  async write({ signal }) {
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    written++
    return { sizeBytes: 10, bytes: Readable.from([Buffer.from('0123456789')]) }
  },
}
const open = (): Promise<StoredResult> => Promise.reject(new Error('The writer of this test reads nothing.'))
const never = new AbortController().signal

async function filesIn(): Promise<string[]> {
  const [own] = await readdir(folder)
  return own === undefined ? [] : readdir(path.join(folder, own))
}

test('writes a result once, also for runs that need it at the same time', async () => {
  const files = makeInputFiles({ parquet, temporaryDirectory: folder })
  const [first, second] = await Promise.all([files.use({ key: 'a', open, signal: never }), files.use({ key: 'a', open, signal: never })])
  expect(first.file).toBe(second.file)
  expect(await readFile(first.file, 'utf8')).toBe('0123456789')
  await first.release()
  await second.release()
  expect((await files.use({ key: 'a', open, signal: never })).file).toBe(first.file)
  expect(written).toBe(1)
})

test('removes the least recently used files beyond the limit, but none in use', async () => {
  const files = makeInputFiles({ parquet, temporaryDirectory: folder, keptMaxBytes: 15 })
  const first = await files.use({ key: 'a', open, signal: never })
  const second = await files.use({ key: 'b', open, signal: never })
  await second.release()
  expect(await filesIn()).toEqual([path.basename(first.file)])
  const third = await files.use({ key: 'c', open, signal: never })
  await first.release()
  expect(await filesIn()).toEqual([path.basename(third.file)])
})

test('writes a result again if the run that wrote it was stopped', async () => {
  const files = makeInputFiles({ parquet, temporaryDirectory: folder })
  const stopped = new AbortController()
  const first = files.use({ key: 'a', open, signal: stopped.signal })
  const second = files.use({ key: 'a', open, signal: never })
  stopped.abort(new Error('stopped'))
  await expect(first).rejects.toThrow('stopped')
  expect(await readFile((await second).file, 'utf8')).toBe('0123456789')
  expect(written).toBe(1)
})
