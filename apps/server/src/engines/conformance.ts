/**
 * What every engine must do, whatever database is behind it: `engineConformance({ name, open })` in a test file puts one
 * through it. `open` makes a database that holds what the `fixture` statements make, and an engine on it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineError, type Engine, type Field } from './engine.ts'

export interface ConformanceSubject {
  engine: Engine
  /** Called once, after `engine.close()`. */
  release(): Promise<void>
}

/** Statements that dialects may have to write in their own way. */
export interface ConformanceSql {
  fixture: string[]
  /** Never ends and never returns a row. */
  endless: string
  /** Statements that change something; each must be refused or fail, and change nothing. */
  writes: string[]
}

export const conformanceSql: ConformanceSql = {
  fixture: [
    'create table digits (n integer not null)',
    'insert into digits values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
    'create table items (id integer not null, name varchar(100), price decimal(10, 2), sold_at timestamp, sold_on date, in_stock boolean)',
    `insert into items values
      (1, 'plain', 12.50, '2026-01-05 09:00:00', '2026-01-05', true),
      (2, 'it''s "quoted" \u00e9 \u{1f600}', -0.05, '2026-01-05 09:00:00.123456', '1969-12-31', false),
      (3, null, null, null, null, null)`,
    'create view cheap_items as select id, price from items where price < 10',
  ],
  endless: `with recursive endless(i) as (select 1 union all select 1 from endless) select count(*) from endless`,
  writes: [
    'insert into digits values (10)',
    'update digits set n = 10',
    'delete from digits',
    'drop table digits',
    'create table more (n integer)',
  ],
}

/** Ten to the power of `digits` rows, from the fixture alone. */
export function rowsSql(digits: number): string {
  const names = Array.from({ length: digits }, (_, index) => `d${index}`)
  const value = names.map((name, index) => `${10 ** index} * cast(${name}.n as bigint)`).join(' + ')
  return `select ${value} as i from ${names.map((name) => `digits ${name}`).join(' cross join ')}`
}

export const never = () => new AbortController().signal

export interface ReadResult {
  fields: Field[]
  rows: unknown[][]
  rowsRead: number | null
  rowsWritten: number | null
}

/** Runs a statement and reads it to its end, checking that each batch is the JSON it promises to be. */
export async function readAll(engine: Engine, sql: string, signal = never()): Promise<ReadResult> {
  const result = await engine.run({ sql, signal })
  const rows: unknown[][] = []
  for await (const batch of result.batches) {
    const parsed = JSON.parse(`[${Buffer.from(batch.json).toString()}]`) as unknown[][]
    expect(parsed).toHaveLength(batch.rowCount)
    for (const row of parsed) rows.push(row)
  }
  return { fields: result.fields, rows, ...result.statistics() }
}

/** The error a statement ends with, wherever it comes: at the start or while its rows are read. */
export async function errorOf(engine: Engine, sql: string, signal = never()): Promise<EngineError> {
  const error = await readAll(engine, sql, signal).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof EngineError)) throw new Error(`Expected an EngineError from: ${sql}`, { cause: error })
  return error
}

export function engineConformance(options: {
  name: string
  open: (sql: ConformanceSql) => Promise<ConformanceSubject>
  sql?: Partial<ConformanceSql>
}): void {
  const sql = { ...conformanceSql, ...options.sql }

  describe(`${options.name} conforms`, () => {
    let subject: ConformanceSubject
    let engine: Engine

    beforeAll(async () => {
      subject = await options.open(sql)
      engine = subject.engine
    })

    afterAll(async () => {
      await engine.close()
      await subject.release()
    })

    it('gives fields and rows in order, each type as it is promised', async () => {
      const { fields, rows } = await readAll(engine, 'select * from items order by id')
      expect(fields).toEqual([
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
        { name: 'price', type: 'decimal' },
        { name: 'sold_at', type: 'timestamp' },
        { name: 'sold_on', type: 'date' },
        { name: 'in_stock', type: 'boolean' },
      ])
      expect(rows).toEqual([
        [1, 'plain', '12.50', '2026-01-05T09:00:00.000Z', '2026-01-05', true],
        [2, 'it\'s "quoted" \u00e9 \u{1f600}', '-0.05', '2026-01-05T09:00:00.123456Z', '1969-12-31', false],
        [3, null, null, null, null, null],
      ])
    })

    it('writes integers beyond 2^53-1 as strings', async () => {
      const { rows } = await readAll(
        engine,
        'select cast(9007199254740991 as bigint), cast(9007199254740992 as bigint), cast(-9223372036854775807 as bigint)',
      )
      expect(rows).toEqual([[9_007_199_254_740_991, '9007199254740992', '-9223372036854775807']])
    })

    it('gives the fields of a result without rows', async () => {
      const { fields, rows } = await readAll(engine, 'select id from items where id < 0')
      expect(fields).toEqual([{ name: 'id', type: 'integer' }])
      expect(rows).toEqual([])
    })

    it('gives a large result in batches, whole and in bounded pieces', async () => {
      const result = await engine.run({ sql: rowsSql(5), signal: never() })
      let rowCount = 0
      let sum = 0
      let batchCount = 0
      for await (const batch of result.batches) {
        for (const [value] of JSON.parse(`[${Buffer.from(batch.json).toString()}]`) as [number][]) sum += value
        rowCount += batch.rowCount
        batchCount++
        expect(batch.json.length).toBeLessThan(1024 * 1024)
      }
      expect({ rowCount, sum }).toEqual({ rowCount: 100_000, sum: 4_999_950_000 })
      expect(batchCount).toBeGreaterThan(1)
    })

    it('tells the rows it read, or that it does not know, and that it wrote none', async () => {
      const { rowsRead, rowsWritten } = await readAll(engine, 'select count(*) from items where price > 1')
      expect([null, 3]).toContain(rowsRead)
      expect([null, 0]).toContain(rowsWritten)
    })

    it('refuses to write, and goes on', async () => {
      for (const write of sql.writes) {
        expect(['refused', 'failed'], write).toContain((await errorOf(engine, write)).kind)
      }
      expect((await readAll(engine, 'select count(*), sum(n) from digits')).rows.map((row) => row.map(Number))).toEqual([[10, 45]])
    })

    it('refuses more than one statement, and runs one that ends with a semicolon', async () => {
      expect((await errorOf(engine, 'select 1; select 2')).kind).toBe('refused')
      expect((await readAll(engine, 'select 1;')).rows).toEqual([[1]])
    })

    it('says what is wrong with a statement, in the words of the engine', async () => {
      const misspelt = await errorOf(engine, 'selec 1')
      expect(misspelt.kind).toBe('failed')
      expect(misspelt.message).toContain('selec')
      const missing = await errorOf(engine, 'select * from no_such_table')
      expect(missing.kind).toBe('failed')
      expect(missing.message).toContain('no_such_table')
    })

    it('does not begin when the signal has aborted already', async () => {
      expect((await errorOf(engine, 'select 1', AbortSignal.abort())).kind).toBe('stopped')
    })

    it('stops a statement that never answers', async () => {
      const stop = new AbortController()
      const ended = errorOf(engine, sql.endless, stop.signal)
      setImmediate(() => stop.abort())
      expect((await ended).kind).toBe('stopped')
      expect((await readAll(engine, 'select 42')).rows).toEqual([[42]])
    })

    it('stops a statement while its rows are read', async () => {
      const stop = new AbortController()
      const result = await engine.run({ sql: rowsSql(9), signal: stop.signal })
      const reading = (async () => {
        for await (const _ of result.batches) stop.abort()
      })()
      await expect(reading).rejects.toMatchObject({ kind: 'stopped' })
      expect((await readAll(engine, 'select 42')).rows).toEqual([[42]])
    })

    it('stops a statement whose rows are not wanted any more', async () => {
      for (let count = 0; count < 5; count++) {
        const result = await engine.run({ sql: rowsSql(9), signal: never() })
        for await (const _ of result.batches) break
      }
      expect((await readAll(engine, 'select 42')).rows).toEqual([[42]])
    })

    it('runs many statements at once, each with its own answer', async () => {
      const numbers = Array.from({ length: 12 }, (_, index) => index)
      const answers = await Promise.all(numbers.map((number) => readAll(engine, `select ${number}`)))
      expect(answers.map((answer) => answer.rows[0]![0])).toEqual(numbers)
    })

    it('can be tested and described', async () => {
      expect((await engine.test(never())).version).toMatch(/\d/)
      const tables = await engine.describe(never())
      const items = tables.find((table) => table.name === 'items')!
      expect(items.kind).toBe('table')
      expect(items.columns.map((column) => column.name)).toEqual(['id', 'name', 'price', 'sold_at', 'sold_on', 'in_stock'])
      expect(items.columns[0]).toMatchObject({ nullable: false })
      expect(items.columns[1]).toMatchObject({ nullable: true })
      expect(tables.find((table) => table.name === 'cheap_items')).toMatchObject({ kind: 'view', rowEstimate: null })
      expect(tables.map((table) => table.name).sort()).toEqual(['cheap_items', 'digits', 'items'])
    })
  })
}
