import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeStage, type Stage } from '../../../testing/lists/list-world.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import { askedWords, prefixQueries } from '../../domain/catalog/search-words.ts'
import { catalogRowOf } from '../../domain/catalog/update-catalog.ts'
import type { Store } from '../db.ts'
import { findTables } from './find-tables.ts'
import { recordCatalogRefresh, writeCatalogTables } from './write-catalog.ts'

const small = 500
const large = 5000

/** One organization with a small catalog and one with a large one. Each has the same words, which must not add to the other's cost. */
describe('the cost of finding tables', () => {
  let store: Store & { url?: string }
  let costs: StatementCosts
  const stages = new Map<number, Stage>()

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true })
    for (const size of [small, large]) {
      const stage = await makeStage(store, `has${size}`)
      stages.set(size, stage)
      await addTables(stage, size)
    }
    costs = openStatementCosts(store.url!)
  })
  afterAll(async () => {
    await costs.close()
    await store.close()
  })

  /** Every table has `shop` in its name and `date` among its 20 columns. Three tables are about a walrus. */
  async function addTables({ caller, configId: databaseId }: Stage, size: number): Promise<void> {
    const { organizationId } = caller
    await recordCatalogRefresh(store.db, { organizationId, databaseId })
    const rows = Array.from({ length: size }, (_, index) => {
      const names = ['id', 'date', ...Array.from({ length: 18 }, (_each, column) => `field${column}_of_${index}`)]
      const columns = names.map((name) => ({ name, type: 'text', comment: null }))
      const name = `shop_${index < 3 ? 'walrus' : 'table'}_${index}`
      const table = { databaseId, schema: 'public', name, kind: 'table', rowEstimate: 7, comment: null, columns } as const
      return catalogRowOf(organizationId, { ...table, columnCount: 20 }, null)
    })
    while (rows.length > 0) await writeCatalogTables(store.db, { organizationId, databaseId }, rows.splice(0, 500))
  }

  async function measure(size: number, text: string) {
    const { caller, configId } = stages.get(size)!
    const { organizationId } = caller
    const words = prefixQueries(organizationId, askedWords(text))
    const measured = await costs.measureEach((db) =>
      findTables(db, { organizationId, databaseIds: [configId], words, count: 20 }),
    )
    return {
      found: measured.answer.map(({ name }) => name),
      buffers: measured.costs.reduce((sum, cost) => sum + cost.buffers, 0),
      sortedRows: Math.max(...measured.costs.map((cost) => cost.sortedRows)),
      scannedTables: measured.costs.flatMap(({ scannedTables }) => scannedTables),
    }
  }

  /** Must hold with and without statistics, because the embedded store never collects them on its own. */
  test.each(['without statistics', 'with statistics'])('does not grow with the catalog, %s', async (when) => {
    if (when === 'with statistics') await sql`analyze`.execute(store.db)
    for (const [text, count] of [
      ['walrus', 3],
      ['the dates of the walrus in the shop', 3],
      ['shop dates', 20],
      ['shop', 20],
      ['penguin', 0],
    ] as const) {
      const [few, many] = [await measure(small, text), await measure(large, text)]
      expect([few.found.length, many.found.length], `${text}, ${when}`).toEqual([count, count])
      // Counting a frequent word reads a hundred rows, and so does ranking, however many there are.
      expect(many.buffers, `${text}, ${when}`).toBeLessThan(few.buffers + 50)
      expect(many.buffers, `${text}, ${when}`).toBeLessThan(250)
      expect(many.sortedRows, `${text}, ${when}`).toBeLessThanOrEqual(100)
      expect(many.scannedTables, `${text}, ${when}`).toEqual([])
    }
  })
})
