import { readFile, rename, rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'

/**
 * The *sample shop*: customers, products and orders of a fictional shop, so that a new installation has interesting data. The SQL in
 * `shop/` generates it.
 *
 * - A shop is created with the orders of two years, until the day of the first start (`firstStartOn`). Its stories, such as a launch and
 *   a supply incident, happened a certain number of weeks before that day.
 * - Then it is *extended* every day until the new `lastDay`. Existing rows stay, apart from orders that are completed.
 * - The rows depend only on these two days. Extending a shop gives the same rows as creating it with the later last day.
 *
 * All days are in UTC, such as `2025-12-31`.
 */
export interface ShopDays {
  firstStartOn: string
  lastDay: string
}

const definitions = ['2-calendar', '3-chance']
const growth = ['5-customers', '6-demand', '7-orders']

/** DuckDB would download extensions that a statement needs; a first start must work offline. */
const withoutDownloads = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' }

/** Writes the sample shop to `file`, replacing an existing file. The file appears complete or not at all. */
export async function createSampleShop(file: string, days: ShopDays): Promise<void> {
  const unfinished = `${file}.unfinished`
  await removeDatabase(unfinished)
  try {
    await changeDatabase(unfinished, withoutDownloads, (connection) => fillSampleShop(connection, days))
    // The write-ahead log of a previous database would be replayed into this one.
    await rm(`${file}.wal`, { force: true })
    await rename(unfinished, file)
  } catch (error) {
    await removeDatabase(unfinished)
    throw error
  }
}

/** Creates the tables and their rows in an empty database. */
export async function fillSampleShop(connection: DuckDBConnection, days: ShopDays): Promise<void> {
  await setDays(connection, days)
  await connection.run(`set variable filled_until = date '0001-01-01'`)
  await runSteps(connection, ['1-tables', ...definitions, '4-products', ...growth])
}

/** Extends the shop in a file that nothing else has open. Throws `SampleShopReplaced` if its tables are no longer the sample's. */
export function extendSampleShop(file: string, days: ShopDays): Promise<void> {
  // One thread is enough for a few days, and leaves the other cores to the service.
  return changeDatabase(file, { ...withoutDownloads, threads: '1' }, async (connection) => {
    await requireSampleTables(connection)
    await setDays(connection, days)
    await connection.run('set variable filled_until = (select max(ordered_on) from orders)')
    await runSteps(connection, [...definitions, ...growth])
  })
}

export class SampleShopReplaced extends Error {}

/** An import may replace a table. Only the sample's own tables have comments. */
async function requireSampleTables(connection: DuckDBConnection): Promise<void> {
  const tables = await connection.runAndReadAll(`
    select table_name from duckdb_tables()
    where schema_name = 'main' and table_name in ('customers', 'orders', 'products') and comment is not null`)
  if (tables.currentRowCount !== 3) throw new SampleShopReplaced('a table of the sample shop was replaced or removed')
}

async function setDays(connection: DuckDBConnection, { firstStartOn, lastDay }: ShopDays): Promise<void> {
  await connection.run(`set variable first_start_on = date '${firstStartOn}'`)
  await connection.run(`set variable last_day = date '${lastDay}'`)
}

async function runSteps(connection: DuckDBConnection, steps: string[]): Promise<void> {
  for (const step of steps) {
    await connection.run(await readFile(new URL(`shop/${step}.sql`, import.meta.url), 'utf8'))
  }
}

/** Opens or creates a database file, and leaves no write-ahead log behind. */
async function changeDatabase(
  file: string,
  options: Record<string, string>,
  change: (connection: DuckDBConnection) => Promise<void>,
): Promise<void> {
  // Imported here: otherwise DuckDB runs only in child processes, and the service starts faster without it.
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(file, options)
  try {
    const connection = await instance.connect()
    try {
      await change(connection)
      await connection.run('checkpoint')
    } finally {
      connection.closeSync()
    }
  } finally {
    instance.closeSync()
  }
}

/** A start that was killed may have left the file and its write-ahead log behind. */
async function removeDatabase(file: string): Promise<void> {
  await rm(file, { force: true })
  await rm(`${file}.wal`, { force: true })
}
