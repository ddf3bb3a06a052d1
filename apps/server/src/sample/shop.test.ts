import { copyFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DuckDBInstance, type DuckDBConnection, type Json } from '@duckdb/node-api'
import { sampleShopDays as days, sampleShopFile } from '../../testing/sample-shop.ts'
import { createSampleShop, extendSampleShop, fillSampleShop, SampleShopReplaced } from './shop.ts'

/** A shop with the orders of a few days costs a fraction of the time. */
const fewDays = { ...days, lastDay: '2024-01-07' }

let folder: string
let file: string
let instance: DuckDBInstance
let shop: DuckDBConnection

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sample-shop-'))
  file = await sampleShopFile()
  instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  shop = await instance.connect()
})

afterAll(async () => {
  shop.closeSync()
  instance.closeSync()
  await rm(folder, { recursive: true })
})

async function rows(sql: string, connection = shop): Promise<Json[][]> {
  return (await connection.runAndReadAll(sql)).getRowsJson()
}

/** The single value of a single row, as a number. */
async function figure(sql: string, connection = shop): Promise<number> {
  return Number((await rows(sql, connection))[0]?.[0])
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

async function inFile<Result>(name: string, act: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
  const opened = await DuckDBInstance.create(name)
  const connection = await opened.connect()
  try {
    return await act(connection)
  } finally {
    connection.closeSync()
    opened.closeSync()
  }
}

/** The sum of the hashes of all rows of all tables, independent of their order. */
async function fingerprint(connection: DuckDBConnection): Promise<Json[][]> {
  const sums = ['products', 'customers', 'orders'].map((table) => `select sum(hash(${table})::hugeint) from ${table}`)
  return rows(sums.join(' union all '), connection)
}

describe('the file', () => {
  test('replaces existing files, is small, and contains only the three tables', async () => {
    const name = "o'shop \"1\".duckdb"
    const replaced = join(folder, name)
    // It must replace these: an existing file, its stale write-ahead log, and the remains of an interrupted start.
    for (const each of [replaced, `${replaced}.wal`, `${replaced}.unfinished`, `${replaced}.unfinished.wal`]) await writeFile(each, 'rubbish')
    await createSampleShop(replaced, fewDays)
    expect(await readdir(folder)).toEqual([name])
    expect(await inFile(replaced, (connection) => figure('select count(distinct ordered_on) from orders', connection))).toBe(7)
    expect((await stat(file)).size).toBeLessThan(30_000_000)
    expect(await rows('select table_name from duckdb_tables() order by 1')).toEqual([['customers'], ['orders'], ['products']])
    expect(await rows('select function_name from duckdb_functions() where not internal')).toEqual([])
  })

  test('has a comment for every table and column', async () => {
    expect(await rows('select table_name from duckdb_tables() where comment is null')).toEqual([])
    expect(await rows('select column_name from duckdb_columns() where comment is null and not internal')).toEqual([])
  })

  test('leaves no partial file when it fails', async () => {
    await expect(createSampleShop(join(folder, 'missing', 'shop.duckdb'), fewDays)).rejects.toThrow('missing')
    // The target is a folder, so everything works until the last step.
    await expect(createSampleShop(folder, fewDays)).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
    expect((await readdir(tmpdir())).filter((name) => join(tmpdir(), name).startsWith(`${folder}.`))).toEqual([])
  })
})

describe('the rows', () => {
  test('are the same with another number of threads, and whether created at once or extended', async () => {
    // DuckDB uses all cores by default, and one thread for an extension.
    const threads = availableParallelism() === 1 ? '4' : '1'
    const again = await DuckDBInstance.create(':memory:', { threads })
    const connection = await again.connect()
    await fillSampleShop(connection, { ...days, lastDay: '2026-01-09' })
    expect(await rows('select order_id from orders limit 3 offset 100000', connection)).toEqual([[100001], [100002], [100003]])

    const extended = join(folder, 'extended.duckdb')
    await copyFile(file, extended)
    for (const lastDay of ['2026-01-01', '2026-01-02', '2026-01-02', '2026-01-09']) await extendSampleShop(extended, { ...days, lastDay })
    const expected = await fingerprint(connection)
    expect(await inFile(extended, fingerprint)).toEqual(expected)
    expect(expected).not.toEqual(await fingerprint(shop))

    // Existing rows stay, apart from orders that were being processed.
    await connection.run(`attach ${quote(file)} as earlier (read_only)`)
    const changed = '(from earlier.orders except from main.orders)'
    expect(await rows(`select distinct status from ${changed}`, connection)).toEqual([['processing']])
    expect(await figure(`select count(*) from (from earlier.customers except from main.customers)`, connection)).toBe(0)
    const [processing] = await rows(`select min(ordered_on) from orders where status = 'processing'`, connection)
    expect(processing).toEqual(['2026-01-07'])
    const perDay = `select min(number), max(number) from (select count(*) as number from orders where ordered_on > '2025-12-31' group by ordered_on)`
    const [[least, most]] = (await rows(perDay, connection)) as [[string, string]]
    expect(Number(least)).toBeGreaterThan(200)
    expect(Number(most)).toBeLessThan(1000)
    connection.closeSync()
    again.closeSync()
  })

  test('are not added to a table that was replaced', async () => {
    const replaced = join(folder, 'replaced.duckdb')
    await copyFile(file, replaced)
    await inFile(replaced, (connection) => connection.run('create or replace table orders as select 1 as order_id'))
    await expect(extendSampleShop(replaced, { ...days, lastDay: '2026-01-01' })).rejects.toThrow(SampleShopReplaced)
  })

  test('are numerous enough to be interesting', async () => {
    expect(await figure('select count(*) from orders')).toBeGreaterThanOrEqual(200_000)
    expect(await figure('select count(*) from customers')).toBeGreaterThan(20_000)
    expect(await figure('select count(*) from products')).toBe(48)
    expect(await figure('select count(distinct name) from products')).toBe(48)
  })

  test('cover every day of 2024 and 2025', async () => {
    expect(await rows('select min(ordered_on), max(ordered_on), count(distinct ordered_on)::integer from orders')).toEqual([
      ['2024-01-01', '2025-12-31', 731],
    ])
    expect(await rows('select min(ordered_at)::date, max(ordered_at)::date from orders')).toEqual([['2024-01-01', '2025-12-31']])
  })

  test.each([
    ['orders without customer', 'from orders anti join customers using (customer_id)'],
    ['orders without product', 'from orders anti join products using (product_id)'],
    ['orders before their customer signed up', 'from orders join customers using (customer_id) where ordered_at <= signed_up_at'],
    ['orders of a product not on sale', `from orders join products using (product_id)
      where ordered_on not between launched_on and coalesce(discontinued_on, date '9999-01-01')`],
    ['orders at a different price than the product’s', `from orders join products using (product_id)
      where orders.unit_price != products.unit_price`],
    ['amounts that do not add up', `from orders
      where (amount * 100)::bigint != (quantity * (unit_price * 100)::bigint * (100 - discount_percent) + 50) // 100`],
    ['discounts without coupon or coupons without discount', 'from orders where (discount_percent = 0) != (coupon_code is null)'],
    ['canceled orders that were shipped', `from orders where (status in ('canceled', 'processing')) != (shipped_at is null)`],
    ['orders shipped before they were placed', 'from orders where shipped_at <= ordered_at'],
    ['ratings outside one to five', 'from orders where rating not between 1 and 5'],
    ['prices below cost', 'from products where unit_price <= unit_cost'],
    ['order numbers that do not grow with time', `from
      (select ordered_at < lag(ordered_at) over (order by order_id) as is_back from orders) where is_back`],
  ])('contain no %s', async (_, from) => {
    expect(await figure(`select count(*) ${from}`)).toBe(0)
  })

  test('have columns with some missing values', async () => {
    for (const column of ['coupon_code', 'shipped_at', 'rating']) {
      expect(await figure(`select count(*) from orders where ${column} is null`)).toBeGreaterThan(1000)
      expect(await figure(`select count(${column}) from orders`)).toBeGreaterThan(1000)
    }
  })
})
