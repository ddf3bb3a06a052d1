import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EngineResult, RowBatch } from '../engines/engine.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { seededRandom } from '../testing/seeded-random.ts'
import { openFileResults } from './file-results.ts'
import type { ResultStore, StoredResult } from './result-store.ts'

const limits = { maxRows: 1_000_000, maxMb: 10 }
const runId = 'run_a'
let folder: string
let results: ResultStore

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-results-'))
  results = await openFileResults({ folder, clock: manualClock() })
})
afterEach(() => rm(folder, { recursive: true }))

function resultOf(batches: AsyncIterable<RowBatch> | Iterable<RowBatch>): EngineResult {
  return {
    fields: [{ name: 'n', type: 'integer' }],
    batches: (async function* () {
      yield* batches
    })(),
    statistics: () => ({ rowsRead: null, rowsWritten: null }),
  }
}

const batch = (...rows: string[]): RowBatch => ({ rowCount: rows.length, json: Buffer.from(rows.join(',')) })

async function read(stored: StoredResult | undefined): Promise<Buffer> {
  if (Buffer.isBuffer(stored!.bytes)) return stored!.bytes
  return Buffer.concat(await stored!.bytes.toArray())
}

const readJson = async (id: string) => JSON.parse(gunzipSync(await read(await results.open(id))).toString()) as unknown

test('what is written is read back as the document that the result route sends', async () => {
  const written = await results.write({ runId, limits, result: resultOf([batch('[1]', '[2]'), batch(), batch('[null]')]) })
  expect(written).toEqual({ rowCount: 3, sizeBytes: expect.any(Number), hash: expect.stringMatching(/^[\w-]{43}$/) })
  expect(await readJson(runId)).toEqual({
    fields: [{ name: 'n', type: 'integer' }],
    rows: [[1], [2], [null]],
    rowCount: 3,
  })
  const stored = await results.open(runId)
  expect(stored!.sizeBytes).toBe(written.sizeBytes)
})

test('a result without rows is a result', async () => {
  await results.write({ runId, limits, result: resultOf([]) })
  expect(await readJson(runId)).toEqual({ fields: [{ name: 'n', type: 'integer' }], rows: [], rowCount: 0 })
})

test('equal results have equal hashes, others do not', async () => {
  const [one, same, other] = await Promise.all([
    results.write({ runId: 'run_1', limits, result: resultOf([batch('[1]', '[2]')]) }),
    results.write({ runId: 'run_2', limits, result: resultOf([batch('[1]', '[2]')]) }),
    results.write({ runId: 'run_3', limits, result: resultOf([batch('[1]', '[3]')]) }),
  ])
  expect(same.hash).toBe(one.hash)
  expect(other.hash).not.toBe(one.hash)
})

test('a large result is a stream, and a removal does not disturb its reader', async () => {
  // Random text does not compress, so the stored file is large too.
  const random = seededRandom('large result')
  const noise = Array.from({ length: 3000 }, () => `["${Buffer.from(random.bytes(750)).toString('base64')}"]`)
  await results.write({ runId, limits, result: resultOf(noise.map((text) => batch(text))) })
  const stored = await results.open(runId)
  expect(Buffer.isBuffer(stored!.bytes)).toBe(false)
  await results.remove(runId)
  const document = JSON.parse(gunzipSync(await read(stored)).toString()) as { rowCount: number }
  expect(document.rowCount).toBe(3000)
  expect(await results.open(runId)).toBeUndefined()
})

test('a removed result is gone, also from memory', async () => {
  await results.write({ runId, limits, result: resultOf([batch('[1]')]) })
  await results.open(runId)
  await results.remove(runId)
  expect(await results.open(runId)).toBeUndefined()
  await results.remove(runId)
})

test.each([
  ['rows', { maxRows: 2, maxMb: 10 }, 'more than 2 rows', 'RESULT_MAX_ROWS'],
  ['bytes', { maxRows: 100, maxMb: 1e-6 }, 'larger than', 'RESULT_MAX_MB'],
])('a result over the limit of %s is refused and the engine is told to stop', async (_, tight, words, setting) => {
  let wasStopped = false
  async function* endless() {
    try {
      for (;;) yield batch('[1]', '[2]')
    } finally {
      wasStopped = true
    }
  }
  const writing = results.write({ runId, limits: tight, result: resultOf(endless()) })
  await expect(writing).rejects.toThrow(words)
  await expect(writing).rejects.toThrow(setting)
  expect(wasStopped).toBe(true)
  expect(await readdir(folder)).toEqual([])
})

test('an engine that fails half-way leaves nothing behind', async () => {
  async function* failing() {
    yield batch('[1]')
    throw new Error('connection lost')
  }
  await expect(results.write({ runId, limits, result: resultOf(failing()) })).rejects.toThrow('connection lost')
  expect(await readdir(folder)).toEqual([])
  expect(await results.open(runId)).toBeUndefined()
})

test('an id that is not a run’s cannot name a file', async () => {
  await expect(results.open('../secret')).rejects.toThrow('Not a run')
})

test('unfinished files of dead processes are removed at a later start, those of living ones are left', async () => {
  const clock = manualClock()
  const old = path.join(folder, 'run_old.json.gz.part')
  const young = path.join(folder, 'run_young.json.gz.part')
  await writeFile(old, 'half')
  await writeFile(young, 'half')
  const ago = (hours: number) => new Date(clock.now().getTime() - hours * 3600_000)
  await utimes(old, ago(25), ago(25))
  await utimes(young, ago(1), ago(1))
  await openFileResults({ folder, clock })
  expect(await readdir(folder)).toEqual(['run_young.json.gz.part'])
})
