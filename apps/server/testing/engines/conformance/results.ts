import { expect } from 'vitest'
import { never, readAll } from './reading.ts'
import type { Suite } from './subject.ts'

/** Tests fields, rows, batches, statistics and table descriptions. */
export function resultTests({ engine, sql, it }: Suite): void {
  it('returns fields and rows in order, with the documented types', async () => {
    const { fields, rows } = await readAll(engine(), 'select * from items order by id')
    expect(fields.map(({ name }) => name)).toEqual(['id', 'name', 'price', 'sold_at', 'sold_on', 'in_stock'])
    expect(fields.map(({ type }) => type)).toEqual(sql.items.types)
    expect(rows).toEqual(sql.items.rows)
  })

  it('returns the fields of a result without rows', async () => {
    const { fields, rows } = await readAll(engine(), 'select id from items where id < 0')
    expect(fields).toEqual([{ name: 'id', type: 'integer' }])
    expect(rows).toEqual([])
  })

  it('returns a large result completely, in batches of bounded size', async () => {
    const result = await engine().run({ sql: sql.rows(5), signal: never() })
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

  it('reports the rows it read, if known, and that it wrote none', async () => {
    const { rowsRead, rowsWritten } = await readAll(engine(), 'select count(*) from items where price > 1')
    expect([null, 3]).toContain(rowsRead)
    expect([null, 0]).toContain(rowsWritten)
  })

  it('runs many statements concurrently, each with its own result', async () => {
    const numbers = Array.from({ length: 12 }, (_, index) => index)
    const answers = await Promise.all(numbers.map((number) => readAll(engine(), `select ${number}`)))
    expect(answers.map((answer) => answer.rows[0]![0])).toEqual(numbers)
  })

  it('can be tested and described', async () => {
    expect((await engine().test(never())).version).toMatch(/\d/)
    const tables = await engine().describe(never())
    const items = tables.find((table) => table.name === 'items')!
    expect(items.kind).toBe('table')
    expect(items.columns.map((column) => column.name)).toEqual(['id', 'name', 'price', 'sold_at', 'sold_on', 'in_stock'])
    expect(items.columns[0]).toMatchObject({ nullable: false })
    expect(items.columns[1]).toMatchObject({ nullable: true })
    expect(tables.find((table) => table.name === 'cheap_items')).toMatchObject({ kind: 'view', rowEstimate: null })
    expect(tables.map((table) => table.name).sort()).toEqual(['cheap_items', 'digits', 'items'])
  })
}
