import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestStore, storeKinds } from '../../testing/store/test-store.ts'

test.each(storeKinds)('on %s, random access counts as cheap, and no statement is compiled', async (kind) => {
  const store = await openTestStore(kind, { isNew: true })
  const settings = []
  for (const db of [store.db, store.backgroundDb, store.claimDb, store.runDb]) {
    const { rows } = await sql`select current_setting('random_page_cost') as cost, current_setting('jit') as jit`.execute(db)
    settings.push(...rows)
  }
  await store.close()
  expect(settings).toEqual(Array.from({ length: 4 }, () => ({ cost: '1.1', jit: 'off' })))
})
