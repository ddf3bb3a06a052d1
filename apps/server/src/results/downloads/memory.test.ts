import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { DuckDBInstance } from '@duckdb/node-api'
import { RecordBatchReader } from 'apache-arrow'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeParquetWriter } from '../../engines/duckdb/parquet/writer.ts'
import type { EngineResult, RowBatch } from '../../model/result.ts'
import { systemClock } from '../../ports/clock.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { openFileResults } from '../file-results.ts'
import { readRawRows } from '../read-rows.ts'
import { toArrow } from './arrow/stream.ts'
import { toCsv } from './write-csv.ts'
import { findShapes } from './find-shapes.ts'
import { toJsonLines } from './json-lines.ts'
import { toParquetRows } from './parquet-rows.ts'
import { field, never } from '../../../testing/results/stored-result.ts'

/**
 * Exports a result larger than the memory limit in each format. Its size comes from wide rows, because many rows would take
 * time and are tested elsewhere.
 */
const rowCount = 48_000
const resultBytes = rowCount * 1024
const limitBytes = 24 * 1024 * 1024

let folder: string
let open: () => ReturnType<typeof readRawRows>

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-downloads-'))
  const results = await openFileResults({ folder: path.join(folder, 'results'), clock: manualClock() })
  const batchRows = 1000
  const filler = 'x'.repeat(1024)
  const result: EngineResult = {
    fields: [field('id', 'integer'), field('price', 'decimal'), field('name', 'string')],
    batches: (async function* (): AsyncGenerator<RowBatch> {
      for (let from = 0; from < rowCount; from += batchRows) {
        const rows = Array.from({ length: batchRows }, (_, i) => `[${from + i},"${from + i}.25","${filler}"]`)
        yield { rowCount: batchRows, json: Buffer.from(rows.join(',')) }
      }
    })(),
    statistics: () => ({ rowsRead: null, rowsWritten: null }),
  }
  await results.write({ runId: 'run_1', result, limits: { maxRows: 2_000_000, maxMb: 1000 } })
  open = async () => readRawRows((await results.open('run_1'))!)
})
afterAll(() => rm(folder, { recursive: true }))

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/**
 * Samples the memory in use while pieces are read, relative to the start. Garbage is collected first, so it does not count.
 */
function watchMemory() {
  const inUse = () => {
    collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  // Memory found unused is only returned at the next collection.
  collectGarbage()
  const beforeBytes = inUse()
  let nextLookBytes = 0
  let sizeBytes = 0
  let maxBytes = 0
  return {
    piece(bytes: number) {
      sizeBytes += bytes
      if (sizeBytes < nextLookBytes) return
      nextLookBytes = sizeBytes + 12 * 1024 * 1024
      // A second collection can only lower the figure, which changes nothing if it doesn't exceed the maximum.
      if (inUse() - beforeBytes > maxBytes) maxBytes = Math.max(maxBytes, inUse() - beforeBytes)
    },
    sizeBytes: () => sizeBytes,
    maxBytes: () => maxBytes,
  }
}

async function* watched<Piece extends { length: number }>(pieces: AsyncIterable<Piece>, memory: ReturnType<typeof watchMemory>) {
  for await (const piece of pieces) {
    memory.piece(piece.length)
    yield piece
  }
}

test.each([
  ['CSV', async () => toCsv(await open())],
  ['JSON lines', async () => toJsonLines(await open())],
])('exports %s in bounded memory', async (_, make) => {
  const memory = watchMemory()
  let last = ''
  for await (const piece of watched(await make(), memory)) last = piece
  expect(last).toContain('47999.25')
  expect(memory.sizeBytes()).toBeGreaterThan(resultBytes)
  expect(memory.maxBytes()).toBeLessThan(limitBytes)
})

test('exports Arrow in bounded memory', async () => {
  const memory = watchMemory()
  const shapes = await findShapes(await open(), never())
  let [rows, sum] = [0, 0n]
  for await (const batch of await RecordBatchReader.from(watched(toArrow(await open(), shapes), memory))) {
    rows += batch.numRows
    for (const id of batch.getChild('id')!) sum += id as bigint
  }
  expect([rows, sum]).toEqual([rowCount, (BigInt(rowCount) * BigInt(rowCount - 1)) / 2n])
  expect(memory.sizeBytes()).toBeGreaterThan(resultBytes)
  expect(memory.maxBytes()).toBeLessThan(limitBytes)
})

test('exports Parquet in bounded memory, in this process and the child', async () => {
  const memory = watchMemory()
  const rows = toParquetRows(open)
  // The child would not survive exceeding its limits.
  const writer = makeParquetWriter({ temporaryDirectory: folder, clock: systemClock })
  onTestFinished(writer.close)
  const { bytes } = await writer.write({
    rows: { ...rows, pieces: () => watched(rows.pieces(), memory) },
    signal: never(),
  })
  const file = path.join(folder, 'wide.parquet')
  await writeFile(file, bytes)
  expect(memory.sizeBytes()).toBeGreaterThan(resultBytes)
  expect(memory.maxBytes()).toBeLessThan(limitBytes)
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const read = await connection.runAndReadAll(
    `select count(*)::integer, bool_and(id = file_row_number), bool_and(price = id + 0.25)
     from read_parquet('${file}', file_row_number = true)`,
  )
  expect(read.getRowsJson()).toEqual([[rowCount, true, true]])
})
