import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeStage, type Stage } from '../../../testing/lists/list-world.ts'
import { addQueries } from '../../../testing/lists/page-cost.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import { searchEverything } from '../../domain/search/search.ts'
import type { Store } from '../db.ts'

let store: Store & { url?: string }
let costs: StatementCosts
let stage: Stage

/** As many queries, chats and automations. */
const size = 8_000
/** No statement looks at more rows than this, however many there are. */
const rowsMax = 5_001

beforeAll(async () => {
  store = await openTestStore('postgres', { isNew: true })
  stage = await makeStage(store, 'large')
  await fill()
  await sql`analyze`.execute(store.db)
  costs = openStatementCosts(store.url!)
})
afterAll(async () => {
  await costs.close()
  await store.close()
})

/** Every title contains `revenue`; the newest nine of ten chats are hidden. */
async function fill(): Promise<void> {
  const { organizationId, userId } = stage.caller
  await addQueries(stage, size)
  await sql`
    insert into query_references (id, organization_id, short_id, title, is_optimistic, query_id, created_by, created_at, updated_at)
    select 'ref_' || id, organization_id, 'short' || id, 'revenue ' || row_number() over (order by created_at, id), false, id, created_by,
      created_at, created_at
    from queries where organization_id = ${organizationId}`.execute(store.db)
  await sql`
    insert into chats (id, organization_id, short_id, title, created_by, created_at, updated_at, is_hidden)
    select 'chat_' || id, organization_id, 'chat' || id, 'revenue', created_by, created_at, created_at,
      row_number() over (order by created_at, id) > ${size / 10}
    from queries where organization_id = ${organizationId}`.execute(store.db)
  await sql`
    insert into automations (id, organization_id, name, instructions, agent, enabled, created_by, created_at, updated_at)
    select 'auto_' || id, organization_id, 'revenue', 'Say what changed.', 'digest', false, created_by, created_at, created_at
    from queries where organization_id = ${organizationId}`.execute(store.db)
  // As many boards as an organization may have.
  await sql`
    insert into boards (id, organization_id, short_id, version, title, content, created_by, created_at, updated_at)
    select 'board_' || ${organizationId} || i, ${organizationId}, ${organizationId} || i, 1, 'revenue', '{}', ${userId}, now(), now()
    from generate_series(1, 1000) as i`.execute(store.db)
}

test.each(['revenue', 'rev 17', 'penguin'])('searching everything for “%s” looks at a few thousand of the newest items', async (text) => {
  const { caller } = stage
  const { costs: each } = await costs.measureEach((db) => searchEverything({ db }, caller, { text, limit: 20 }))
  expect(Math.max(...each.map(({ rowsInOneStep }) => rowsInOneStep)), JSON.stringify(each)).toBeLessThanOrEqual(rowsMax)
  expect(each.reduce((sum, { buffers }) => sum + buffers, 0)).toBeLessThan(6_000)
})
