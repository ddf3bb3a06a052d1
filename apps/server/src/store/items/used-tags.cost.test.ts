import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openStatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import { readUsedTags } from './tags-table.ts'

const now = new Date('2026-01-05T09:00:00.000Z')

test('the tags of an organization are found without reading all tagged items', async () => {
  const store = await openTestStore('postgres', { isNew: true })
  const costs = openStatementCosts(store.url!)
  await store.db.connection().execute(async (db) => {
    // Only what the list reads is written.
    await sql`set session_replication_role = replica`.execute(db)
    await sql`
      insert into query_references (id, organization_id, short_id, title, is_optimistic, query_id, created_by, created_at, updated_at)
      select 'ref_' || i, 'org_1', 'short_' || i, 'Orders', false, gen_random_uuid(), 'user_1', ${now}, ${now}
      from generate_series(1, 5000) as i`.execute(db)
    await sql`
      insert into item_tags (organization_id, kind, item_id, tag, key)
      select 'org_1', 'reference', 'ref_' || i, tag, lower(tag)
      from generate_series(1, 5000) as i, unnest(array['Weekly', 'Finance', case when i < 4 then 'Rare' end]) as tag
      where tag is not null`.execute(db)
    await sql`set session_replication_role = origin`.execute(db)
  })
  await sql`analyze`.execute(store.db)
  const { answer, cost } = await costs.measure((db) => readUsedTags(db, { organizationId: 'org_1', count: 50 }))
  expect(answer).toEqual([
    { tag: 'Finance', count: 100 },
    { tag: 'Weekly', count: 100 },
    { tag: 'Rare', count: 3 },
  ])
  expect(cost.rowsInOneStep).toBeLessThan(500)
  await costs.close()
  await store.close()
})
