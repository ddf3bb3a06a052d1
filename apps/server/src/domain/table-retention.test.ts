import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'
import { readTableFacts } from '../store/read-table-facts.ts'
import { readTableSizes } from '../store/read-table-sizes.ts'
import { makeMetrics } from './metrics.ts'
import { tableRetention } from './table-retention.ts'

let store: TestStore
beforeAll(async () => (store = await openTestStore('postgres')))
afterAll(() => store.close())

test('says for every table what limits its size', async () => {
  const sizes = await readTableSizes(store.db)
  expect(sizes.length).toBeGreaterThan(90)
  expect(sizes.map(({ table }) => table).filter((table) => !(table in tableRetention))).toEqual([])
})

test('rows that go with others name a table', () => {
  const owners = Object.values(tableRetention).flatMap((each) => (each.kept === 'with' ? [each.table] : []))
  expect(owners.filter((table) => !(table in tableRetention))).toEqual([])
})

test('sizes and estimates are metrics, and are left out while the store does not answer', async () => {
  const metrics = makeMetrics()
  let isDown = false
  metrics.watchTableSizes(async () => {
    if (isDown) throw new Error('down')
    return [{ table: 'runs', sizeBytes: 8192, rowCount: 7 }, { table: 'users', sizeBytes: 4096, rowCount: null }]
  })
  const text = await metrics.registry.metrics()
  expect(text).toContain('querypost_table_bytes{table="runs",kept="swept"} 8192\n')
  expect(text).toContain('querypost_table_bytes{table="users",kept="forever"} 4096\n')
  expect(text.match(/^querypost_table_rows\{.*$/gm)).toEqual(['querypost_table_rows{table="runs",kept="swept"} 7'])
  isDown = true
  expect(await metrics.registry.metrics()).not.toContain('querypost_table_bytes{')
})

test('the facts of a table change with any of its rows', async () => {
  const never = new AbortController().signal
  const before = await readTableFacts(store.db, never)
  await store.db.insertInto('organizations').values({ id: 'org_1', name: 'Acme', created_at: new Date(0) }).execute()
  const inserted = await readTableFacts(store.db, never)
  await store.db.updateTable('organizations').set({ name: 'Apex' }).execute()
  const updated = await readTableFacts(store.db, never)
  expect([before, inserted, updated].map(({ organizations }) => organizations!.rowCount)).toEqual([0, 1, 1])
  expect(new Set([before, inserted, updated].map(({ organizations }) => organizations!.hash)).size).toBe(3)
  expect(updated['users']).toEqual(before['users'])
})
