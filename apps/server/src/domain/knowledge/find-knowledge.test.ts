import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Table } from '../../engines/engine.ts'
import { makeStage, makeWorld, type Stage, type World } from '../../../testing/lists/list-world.ts'
import { openTestStore, ruleKindsOf, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import { claimStaleCatalogs, removeCatalog } from '../../store/catalog/write-catalog.ts'
import { markDatabaseDeleted } from '../../store/databases/databases-table.ts'
import { updateCatalog } from '../catalog/update-catalog.ts'
import { readOwnDescriptions } from '../catalog/own-descriptions.ts'
import { findKnowledge } from './find-knowledge.ts'
import { createMetric } from './metric-definitions.ts'
import { replaceDbtProject } from '../../store/knowledge/dbt-tables.ts'
import { putInstructions } from './instructions.ts'
import { putTableDescription, searchTables } from './table-descriptions.ts'

const table = (name: string, columns: Record<string, string | null>, comment: string | null = null): Table => ({
  schema: 'public',
  name,
  kind: 'table',
  rowEstimate: 1000,
  comment,
  columns: Object.entries(columns).map(([column, about]) => ({ name: column, type: 'text', nullable: true, comment: about })),
})

const tables = [
  table('customers', { id: null, country: 'Where orders are sent' }, 'Who buys'),
  table('orderItems', { order_id: null, amountNet: 'Without VAT' }),
  table('shipments', { id: null, carrier: null, customer_id: null }, 'Parcels that left a warehouse'),
  table('étages', { numéro: null }),
]

describe.each(storeKinds)('knowledge on %s', (kind) => {
  let store: TestStore
  let shop: World
  let bank: Stage

  beforeAll(async () => {
    store = await openTestStore(kind)
    shop = makeWorld(await makeStage(store, 'shop'))
    bank = await makeStage(store, 'bank')
    await update(shop, tables)
    await update(bank, [table('customers_of_the_bank', { id: null })])
  })
  afterAll(() => store.close())

  const deps = () => ({
    db: store.db,
    clock: shop.clock,
    random: shop.random,
    findReference: async () => undefined,
    findMember: async () => undefined,
  })

  async function update({ caller, configId }: Stage, given: Table[]) {
    const database = { organizationId: caller.organizationId, id: configId }
    await updateCatalog(store, database, given, await readOwnDescriptions(store, database))
  }
  const find = (text: string, { caller }: Stage = shop) =>
    findKnowledge(store, { organizationId: caller.organizationId, text, count: 10 })
  const tablesFor = async (text: string) => (await find(text)).tables.map(({ name }) => name)

  test.each(ruleKindsOf(kind))('finds tables by their names, descriptions and columns, in this order', async () => {
    expect(await tablesFor('How many customers do we have?')).toEqual(['customers', 'shipments'])
    expect(await tablesFor('parcels per warehouse')).toEqual(['shipments'])
    expect(await tablesFor('VAT')).toEqual(['orderItems'])
    expect(await tablesFor('Show me the net amounts of every order item')).toEqual(['orderItems', 'customers'])
    expect(await tablesFor('ETAGES, numero')).toEqual(['étages'])
  })

  test.each(ruleKindsOf(kind))('finds nothing for words that every question has, and for quotes and operators', async () => {
    expect(await tablesFor('what is the')).toEqual([])
    expect(await tablesFor(`' & | ! : * ( ) \\ <-> --`)).toEqual([])
    expect(await tablesFor('')).toEqual([])
  })

  test.each(ruleKindsOf(kind))('finds only tables of the organization', async () => {
    expect((await find('bank', shop)).tables).toEqual([])
    expect((await find('customers', bank)).tables.map(({ name }) => name)).toEqual(['customers_of_the_bank'])
  })

  test.each(ruleKindsOf(kind))('finds a table by the organization’s own description, which survives an update of the catalog', async () => {
    const { caller, configId: databaseId } = shop
    const given = { databaseId, schema: 'public', table: 'étages', description: 'Floors of the shops', columns: { numéro: 'Level' } }
    await putTableDescription(deps(), caller, { ...given, version: 0 })
    expect(await tablesFor('floors')).toEqual(['étages'])
    await update(shop, [...tables.slice(0, 3), table('étages', { numéro: null, surface: null })])
    expect((await find('which level')).tables).toMatchObject([{ name: 'étages', own: { columns: { numéro: 'Level' } }, columnCount: 2 }])
  })

  test('forgets tables that are gone', async () => {
    await update(shop, tables.slice(1))
    expect(await tablesFor('Who buys')).toEqual([])
    await update(shop, tables)
    expect(await tablesFor('Who buys')).toEqual(['customers'])
  })

  test.each(ruleKindsOf(kind))('finds metrics by name, synonym and description', async () => {
    const { caller, configId } = shop
    const definition = { kind: 'sql', databaseId: configId, sql: 'select 1' } as const
    const rest = { description: '', unit: null, synonyms: [], definition, ownerId: null }
    await createMetric(deps(), caller, { ...rest, name: 'Net revenue', synonyms: ['turnover'], unit: '€' })
    await createMetric(deps(), caller, { ...rest, name: 'Refund rate', description: 'Share of the revenue that was paid back' })
    const metricsFor = async (text: string) => (await find(text)).metrics.map(({ content }) => content.name)
    expect(await metricsFor('Revenues last week?')).toEqual(['Net revenue', 'Refund rate'])
    expect(await metricsFor('our turnover')).toEqual(['Net revenue'])
    expect(await metricsFor('customers')).toEqual([])
  })

  test.each(ruleKindsOf(kind))('finds metrics of dbt projects, except for those that the organization has defined itself', async () => {
    const { caller, configId } = shop
    const metric = (name: string) => ({ name, label: name, description: '', definition: null })
    const counts = { tableCount: 0, foundTableCount: 0, describedColumnCount: 0 }
    const imported = { databaseId: configId, project: 'shop', manifestVersion: 12, generatedAt: null, ...counts, importedBy: caller.userId, importedAt: shop.clock.now() }
    const metrics = [metric('net revenue'), metric('gross_revenue'), metric('visits')]
    await store.db.transaction().execute((tx) => replaceDbtProject(tx, { ...imported, organizationId: caller.organizationId, metrics, tables: [] }))
    expect((await find('revenue per week')).dbtMetrics).toEqual([{ ...metric('gross_revenue'), databaseId: configId, project: 'shop' }])
    expect((await find('revenue per week', bank)).dbtMetrics).toEqual([])
  })

  test.each(ruleKindsOf(kind))('returns the instructions whatever the question is', async () => {
    const { caller, configId } = shop
    await putInstructions(deps(), caller, { databaseId: null, text: ' Amounts are in euros. ', version: 0 })
    await putInstructions(deps(), caller, { databaseId: configId, text: 'The year starts in April.', version: 0 })
    expect((await find('?')).instructions).toEqual([
      { database: null, text: 'Amounts are in euros.' },
      { database: { id: configId, name: 'shop' }, text: 'The year starts in April.' },
    ])
    expect((await find('?', bank)).instructions).toEqual([])
  })

  test('claims a catalog that is missing or older than an hour, for one process at a time', async () => {
    const { organizationId } = shop.caller
    const claim = () => claimStaleCatalogs(store.db, organizationId)
    const age = (minutes: number) =>
      sql`update catalogs set refreshed_at = store_now() - ${minutes} * interval '1 minute', claimed_at = null`.execute(store.db)
    await age(59)
    expect(await claim()).toEqual([])
    await age(61)
    expect([await claim(), await claim()]).toEqual([[shop.configId], []])
    await sql`update catalogs set claimed_at = store_now() - interval '11 minutes'`.execute(store.db)
    expect(await claim()).toEqual([shop.configId])
  })

  test('forgets the tables of a deleted database, even if its schema is still being read', async () => {
    const gone = await makeStage(store, 'gone')
    const { organizationId } = gone.caller
    await update(gone, tables)
    expect((await find('customers', gone)).tables).not.toEqual([])
    await store.db.transaction().execute(async (tx) => {
      await markDatabaseDeleted(tx, { organizationId, configId: gone.configId }, shop.clock.now())
      await removeCatalog(tx, { organizationId, databaseId: gone.configId })
    })
    await update(gone, tables)
    const left = store.db.selectFrom('catalog_tables').select('table_name').where('organization_id', '=', organizationId)
    expect(await left.execute()).toEqual([])
  })

  test.each(ruleKindsOf(kind))('lists tables in alphabetical order without a search, and says whether these are all', async () => {
    const list = async (limit: number) => {
      const { items, isComplete } = await searchTables(store, shop.caller, { limit })
      return [items.map(({ name }) => name), isComplete]
    }
    expect(await list(2)).toEqual([['customers', 'orderItems'], false])
    expect(await list(4)).toEqual([['customers', 'orderItems', 'shipments', 'étages'], true])
  })
})
