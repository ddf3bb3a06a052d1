import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestStore, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import type { Db, Tx } from '../db.ts'
import { asViewer } from '../viewer.ts'
import { visibleTables } from './visible-tables.ts'

describe.each(storeKinds)('the tables that a viewer sees, on %s', (kind) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openTestStore(kind)
  })
  afterAll(() => store.close())
  const viewer = { id: 'user_1', hiddenDatabaseIds: ['db_1'], hiddenFolderIds: ['folder_1'] }

  test('are all classified', async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'schema_migrations'`.execute(store.db)
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(visibleTables).toSorted())
  })

  test('have every column and can be read', async () => {
    const columns = () =>
      sql<{ table: string; column: string }>`
        select attrelid::regclass::text as table, attname as column from pg_attribute
        where attrelid = any (${Object.keys(visibleTables)}::regclass[]) and attnum > 0 and not attisdropped
        order by 1, 2`.execute(store.db)
    const ofTables = (await columns()).rows
    const ofViews = (await asViewer(viewer, columns)).rows.map(({ table, column }) => ({ table: table.replace('public.', ''), column }))
    expect(ofViews).toEqual(ofTables)
    for (const table of Object.keys(visibleTables)) {
      await asViewer(viewer, () => sql`select * from ${sql.table(table)}`.execute(store.db))
    }
  })

  test('apply to the statements of a viewer and to no others', async () => {
    const path = (db: Db | Tx = store.db) =>
      sql<{ path: string }>`select current_setting('search_path') as path`.execute(db).then(({ rows }) => rows[0]!.path)
    const before = await path()
    const [alone, inTransaction, others] = await Promise.all([
      asViewer(viewer, () => path()),
      asViewer(viewer, () => store.db.transaction().execute(path)),
      path(),
    ])
    expect([alone, inTransaction]).toEqual(['querypost_visible, public', 'querypost_visible, public'])
    expect([others, await path()]).toEqual([before, before])
    await expect(asViewer(viewer, () => sql`select 1 / 0`.execute(store.db))).rejects.toThrow(/zero/)
    expect(await path()).toBe(before)
  })

  test('fail to be read while the views are missing', async () => {
    await store.db.transaction().execute(async (tx) => {
      await sql`alter schema querypost_visible rename to renamed`.execute(tx)
    })
    await expect(asViewer(viewer, () => sql`select 1`.execute(store.db))).rejects.toThrow(/does not exist/)
    await sql`alter schema renamed rename to querypost_visible`.execute(store.db)
  })
})
