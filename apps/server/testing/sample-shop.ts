import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { createSampleShop } from '../src/sample/shop.ts'
import { makeOnce } from './make-once.ts'

/** Tests know the figures of this shop. */
export const sampleShopDays = { firstStartOn: '2025-12-31', lastDay: '2025-12-31' }

/** The file of the shop, to read or copy. Creating it takes a CPU second, so the tests of a run share it. */
export const sampleShopFile = (): Promise<string> => makeOnce('sample-shop', (file) => createSampleShop(file, sampleShopDays))

/** The shop's tables, which cannot be changed, in a database in memory for what a test adds. */
export async function openSampleShop(): Promise<{ shop: DuckDBConnection; close(): void }> {
  const instance = await DuckDBInstance.create(':memory:')
  const shop = await instance.connect()
  await shop.run(`attach '${await sampleShopFile()}' as shop (read_only)`)
  await shop.run('use shop')
  return {
    shop,
    close() {
      shop.closeSync()
      instance.closeSync()
    },
  }
}
