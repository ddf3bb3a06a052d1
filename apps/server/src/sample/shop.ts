import { readFile, rename, rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'

/**
 * The *sample shop*: an invented shop's customers, products and orders of 2024 and 2025, so that a first start has
 * something worth looking at. The SQL in `shop/` makes it; the same rows come out every time.
 */
const steps = ['1-tables', '2-chance', '3-products', '4-customers', '5-demand', '6-orders']

/** DuckDB fetches extensions by itself where a statement wants one; a first start works without a network. */
const withoutDownloads = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' }

/** Writes the sample shop to `file`, replacing what is there. The file appears complete or not at all. */
export async function createSampleShop(file: string): Promise<void> {
  const unfinished = `${file}.unfinished`
  await removeDatabase(unfinished)
  // Loaded here: after its first start the service has DuckDB only in processes of its own, and starts faster without it.
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
    // The write-ahead log of a database that stood here before would be replayed into this one.
    await rm(`${file}.wal`, { force: true })
    await rename(unfinished, file)
  } catch (error) {
    await removeDatabase(unfinished)
    throw error
  }
}

/** Makes the tables and their rows in an empty database. */
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
