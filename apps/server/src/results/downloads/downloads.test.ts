import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeParquetWriter } from '../../engines/duckdb/parquet/writer.ts'
import type { EngineResult, Field, FieldType, RowBatch } from '../../engines/engine.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { openFileResults } from '../file-results.ts'
import { readRawRows } from '../read-rows.ts'
import { toCsv } from './csv.ts'
import { toLines } from './lines.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-downloads-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** `values` are JSON texts, as engines write them. */
const stored = (fields: Field[], rows: string[][]) => {
  const text = `{"fields":${JSON.stringify(fields)},"rows":[${rows.map((row) => `[${row.join(',')}]`).join(',')}],"rowCount":${rows.length}}`
  const bytes = gzipSync(text)
  return { sizeBytes: bytes.length, bytes }
}
const field = (name: string, type: FieldType): Field => ({ name, type })

async function csv(fields: Field[], rows: string[][]): Promise<string> {
  let text = ''
  for await (const piece of toCsv(await readRawRows(stored(fields, rows)))) text += piece
  return text
}

describe('CSV', () => {
  test('keeps every value exact, and tells NULL from an empty text', async () => {
    const fields = [
      field('big', 'integer'),
      field('price', 'decimal'),
      field('said, "aloud"', 'string'),
      field('at', 'timestamp'),
      field('ok', 'boolean'),
      field('ratio', 'number'),
      field('more', 'json'),
    ]
    const rows = [
      ['"9007199254740993"', '"12.50"', '"a,b\\r\\nc \\"q\\" ü\\u0007"', '"2026-01-05T09:00:00.000Z"', 'true', '1e+300', '{"a":12345678901234567890, "b":[1.10,"]"]}'],
      ['-1', '"-0.05"', '""', 'null', 'false', '"NaN"', 'null'],
      ['null', 'null', 'null', 'null', 'null', 'null', ' "x" '],
    ]
    expect(await csv(fields, rows)).toBe(
      [
        'big,price,"said, ""aloud""",at,ok,ratio,more',
        '9007199254740993,12.50,"a,b\r\nc ""q"" ü\u0007",2026-01-05T09:00:00.000Z,true,1e+300,"{""a"":12345678901234567890, ""b"":[1.10,""]""]}"',
        '-1,-0.05,"",,false,NaN,',
        ',,,,,,"""x"""',
        '',
      ].join('\r\n'),
    )
  })

  test('leaves a cell as it is that a spreadsheet would take for a formula', async () => {
    expect(await csv([field('a', 'string')], [['"=1+1"'], ['"@x"'], ['"-2"']])).toBe('a\r\n=1+1\r\n@x\r\n-2\r\n')
  })

  test('a result without rows has a header', async () => {
    expect(await csv([field('a', 'string'), field('', 'integer')], [])).toBe('a,""\r\n')
  })

  test('any texts come back as they went in', async () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '\r', '\n', '[', ']', '{', '}', ' ', 'é', '😀') })
    const cells = fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(cells, async (rows) => {
        const text = await csv(
          [field('a', 'string'), field('b', 'string')],
          rows.map((row) => row.map((value) => JSON.stringify(value))),
        )
        expect(parseCsv(text).slice(1)).toEqual(rows)
      }),
      { seed: 20260105, numRuns: 200 },
    )
  })
})

/** The plainest reader of RFC 4180: for texts only, where an empty cell is an empty text. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; ) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        cell += text[at]
        if (text[at] === '"') at++
      }
      at++
    } else while (text[at] !== ',' && text[at] !== '\r') cell += text[at++]
    row.push(cell)
    if (text[at] === ',') at++
    else {
      if (text.slice(at, at + 2) !== '\r\n') throw new Error(`No end of line at ${at}.`)
      at += 2
      rows.push(row)
      row = []
    }
  }
  return rows
}

const never = () => new AbortController().signal

describe('Parquet', () => {
  let query: (sql: string) => Promise<unknown[][]>
  const writer = () => makeParquetWriter({ temporaryDirectory: path.join(folder, 'temporary') })

  beforeAll(async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run(`set timezone = 'UTC'`)
    query = async (sql) => (await connection.runAndReadAll(sql)).getRowsJson()
  })

  async function parquet(fields: Field[], rows: string[][]): Promise<string> {
    const { bytes, sizeBytes } = await writer().write({ rows: toLines(await readRawRows(stored(fields, rows))), signal: never() })
    const chunks: Buffer[] = []
    for await (const chunk of bytes) chunks.push(chunk as Buffer)
    const whole = Buffer.concat(chunks)
    expect(whole).toHaveLength(sizeBytes)
    const file = path.join(folder, `out-${whole.length}.parquet`)
    await writeFile(file, whole)
    expect(await readdir(path.join(folder, 'temporary'))).toEqual([])
    return `'${file}'`
  }

  test('has the type that each column needs, and its values exact', async () => {
    const columns: [string, FieldType, string, [json: string, written: string | null][]][] = [
      ['small', 'integer', 'BIGINT', [['-3', '-3'], ['"-9223372036854775808"', '-9223372036854775808']]],
      ['unsigned', 'integer', 'UBIGINT', [['1', '1'], ['"18446744073709551615"', '18446744073709551615']]],
      ['huge', 'integer', 'DECIMAL(38,0)', [['-1', '-1'], ['"18446744073709551616"', '18446744073709551616']]],
      ['beyond', 'integer', 'VARCHAR', [['1', '1'], [`"${'9'.repeat(39)}"`, '9'.repeat(39)]]],
      ['price', 'decimal', 'DECIMAL(7,3)', [['"12.500"', '12.500'], ['"-1234.5"', '-1234.500']]],
      ['ratio', 'number', 'DOUBLE', [['0.1', '0.1'], ['"-Infinity"', '-inf']]],
      ['ok', 'boolean', 'BOOLEAN', [['true', 'true'], ['null', null]]],
      ['on', 'date', 'DATE', [['"0001-01-01"', '0001-01-01'], ['"9999-12-31"', '9999-12-31']]],
      ['far', 'date', 'VARCHAR', [['"+012026-01-01"', '+012026-01-01'], ['"infinity"', 'infinity']]],
      ['at', 'timestamp', 'TIMESTAMP WITH TIME ZONE', [['"2026-01-05T09:00:00.123456Z"', '2026-01-05 09:00:00.123456+00'], ['null', null]]],
      ['nanos', 'timestamp', 'TIMESTAMP_NS', [['"2026-01-05T09:00:00.123456789Z"', '2026-01-05 09:00:00.123456789'], ['"2026-01-05T09:00:00.000Z"', '2026-01-05 09:00:00']]],
      ['name', 'string', 'VARCHAR', [['"a\\"b\\n\\u0007ü😀"', 'a"b\n\u0007ü😀'], ['""', '']]],
      ['more', 'json', 'JSON', [['{"a":12345678901234567890123, "b":1.10}', '{"a":12345678901234567890123, "b":1.10}'], ['null', null]]],
      ['none', 'decimal', 'DECIMAL(1,0)', [['null', null], ['null', null]]],
    ]
    const file = await parquet(
      columns.map(([name, type]) => field(name, type)),
      [0, 1].map((row) => columns.map(([, , , values]) => values[row]![0])),
    )
    const types = await query(`select column_name, column_type from (describe select * from ${file})`)
    expect(types).toEqual(columns.map(([name, , type]) => [name, type]))
    const texts = columns.map(([name]) => `"${name}"::varchar`).join(', ')
    expect(await query(`select ${texts} from ${file}`)).toEqual([0, 1].map((row) => columns.map(([, , , values]) => values[row]![1])))
  })

  test('takes any names of columns, the same one twice too', async () => {
    const names = ['a', 'A', 'a_2', 'a', `it's "x"; --`, '', '名前']
    const file = await parquet(names.map((name) => field(name, 'integer')), [names.map((_, index) => String(index))])
    expect(await query(`select * from ${file}`)).toEqual([names.map((_, index) => String(index))])
    const found = await query(`select name from parquet_schema(${file}) where name <> 'duckdb_schema'`)
    expect(found.flat()).toEqual(['a', 'A_2', 'a_2_2', 'a_3', `it's "x"; --`, 'column', '名前'])
  })

  test('of no rows has its columns', async () => {
    const file = await parquet([field('a', 'integer'), field('b', 'string')], [])
    expect(await query(`select count(*)::integer from ${file}`)).toEqual([[0]])
  })

  test('stops when it is not wanted any more, and leaves nothing behind', async () => {
    const gone = new AbortController()
    const rows = toLines(await readRawRows(stored([field('a', 'integer')], [['1']])))
    async function* endless() {
      yield* rows.pieces()
      gone.abort(new Error('gone'))
      yield '{"0":2}\n'
    }
    await expect(writer().write({ rows: { ...rows, pieces: endless }, signal: gone.signal })).rejects.toThrow('gone')
    expect(await readdir(path.join(folder, 'temporary'))).toEqual([])
  })

  test('says what is wrong when DuckDB cannot write it', async () => {
    const rows = { pieces: async function* () { yield '{"0":"x"}\n' }, columns: () => [{ name: 'a', type: 'BIGINT' }], rowCount: () => 1 }
    await expect(writer().write({ rows, signal: never() })).rejects.toThrow(/could not be written.*Invalid Input/s)
  })
})

describe('a million rows', () => {
  const rowCount = 1_000_000
  const limitBytes = 32 * 1024 * 1024

  /** What is in use now and then while pieces go by, beyond what was before. Garbage does not count: it is collected first. */
  function watchMemory() {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const inUse = () => {
      collectGarbage()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const beforeBytes = inUse()
    let pieces = 0
    let mostBytes = 0
    return {
      piece() {
        if (++pieces % 100 === 0) mostBytes = Math.max(mostBytes, inUse() - beforeBytes)
      },
      mostBytes: () => mostBytes,
    }
  }

  let open: () => ReturnType<typeof readRawRows>

  beforeAll(async () => {
    const results = await openFileResults({ folder: path.join(folder, 'results'), clock: manualClock() })
    const batchRows = 1000
    const result: EngineResult = {
      fields: [field('id', 'integer'), field('price', 'decimal'), field('name', 'string')],
      batches: (async function* (): AsyncGenerator<RowBatch> {
        for (let from = 0; from < rowCount; from += batchRows) {
          const rows = Array.from({ length: batchRows }, (_, i) => `[${from + i},"${from + i}.25","${'x'.repeat(200)}"]`)
          yield { rowCount: batchRows, json: Buffer.from(rows.join(',')) }
        }
      })(),
      statistics: () => ({ rowsRead: null, rowsWritten: null }),
    }
    await results.write({ runId: 'run_1', result, limits: { maxRows: 2_000_000, maxMb: 1000 } })
    open = async () => readRawRows((await results.open('run_1'))!)
  })

  test('pass through as CSV in little memory', async () => {
    const memory = watchMemory()
    let sizeBytes = 0
    for await (const piece of toCsv(await open())) {
      sizeBytes += piece.length
      memory.piece()
    }
    expect(sizeBytes).toBeGreaterThan(200 * 1024 * 1024)
    expect(memory.mostBytes()).toBeLessThan(limitBytes)
  })

  test('become Parquet in little memory, here and in the other process', async () => {
    const memory = watchMemory()
    const lines = toLines(await open())
    async function* watched() {
      for await (const piece of lines.pieces()) {
        memory.piece()
        yield piece
      }
    }
    // The other process is bound by its limits, which it would not outlive.
    const { bytes } = await makeParquetWriter({ temporaryDirectory: folder }).write({
      rows: { ...lines, pieces: watched },
      signal: never(),
    })
    const file = path.join(folder, 'million.parquet')
    await writeFile(file, bytes)
    expect(memory.mostBytes()).toBeLessThan(limitBytes)
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const read = await connection.runAndReadAll(
      `select count(*)::integer, sum(id)::varchar, sum(price)::varchar, bool_and(id = file_row_number)
       from read_parquet('${file}', file_row_number = true)`,
    )
    expect(read.getRowsJson()).toEqual([[rowCount, '499999500000', '499999750000.00', true]])
  })
})
