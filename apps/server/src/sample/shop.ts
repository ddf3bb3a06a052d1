import { readFile, rename, rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'

/**
 * The *sample shop*: customers, products and orders of a fictional shop in 2024 and 2025, so that a new installation has interesting
 * data. The SQL in `shop/` generates it; the rows are the same every time.
 */
const steps = ['1-tables', '2-chance', '3-products', '4-customers', '5-demand', '6-orders']

/** DuckDB would download extensions that a statement needs; a first start must work offline. */
const withoutDownloads = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' }

/** Writes the sample shop to `file`, replacing an existing file. The file appears complete or not at all. */
export async function createSampleShop(file: string): Promise<void> {
  const unfinished = `${file}.unfinished`
  await removeDatabase(unfinished)
  // Imported here: after the first start DuckDB runs only in child processes, and the service starts faster without it.
  const { DuckDBInstance } = await import('@duckdb/node-api')
  try {
    const instance = await DuckDBInstance.create(unfinished, withoutDownloads)
    try {
      const connection = await instance.connect()
      try {
        await fillSampleShop(connection)
        await connection.run('checkpoint')
      } finally {
        connection.closeSync()
      }
    } finally {
      instance.closeSync()
    }
    // The write-ahead log of a previous database would be replayed into this one.
    await rm(`${file}.wal`, { force: true })
    await rename(unfinished, file)
  } catch (error) {
    await removeDatabase(unfinished)
    throw error
  }
}

/** Creates the tables and their rows in an empty database. */
export async function fillSampleShop(connection: DuckDBConnection): Promise<void> {
  for (const step of steps) {
    await connection.run(await readFile(new URL(`shop/${step}.sql`, import.meta.url), 'utf8'))
  }
}

/** A start that was killed may have left the file and its write-ahead log behind. */
async function removeDatabase(file: string): Promise<void> {
  await rm(file, { force: true })
  await rm(`${file}.wal`, { force: true })
}
