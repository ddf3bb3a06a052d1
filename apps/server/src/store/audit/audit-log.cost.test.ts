import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditFilter } from '../../model/audit-record.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore, type TestStore } from '../../../testing/store/test-store.ts'
import { createPartition } from '../partitions/change-partitions.ts'
import { removeOldRows } from '../partitions/remove-old-rows.ts'
import { readAuditLog } from './read-audit-log.ts'
import { readKeyUse } from './read-key-use.ts'

const recordCount = 13_000
/** Far in the future, where the first partition does not reach. */
const now = new Date('2100-01-05T09:00:00.000Z')
const dayMs = 24 * 3600_000
/** One record per second. All are in the newest of 16 partitions, so that its size decides about plans as in a long log. */
const everyMs = 1000
const partitionMs = 28 * dayMs
const ago = (records: number) => new Date(now.getTime() - records * everyMs)

let store: TestStore
let costs: StatementCosts

/** Records of two organizations. In the first, one person saves queries, creates a key now and then and changes a role once. */
beforeAll(async () => {
  store = await openTestStore('postgres', { isNew: true })
  costs = openStatementCosts(store.url!)
  const { db } = store
  for (let index = 0; index < 16; index += 1) {
    const from = new Date(now.getTime() - (index + 0.5) * partitionMs)
    const to = new Date(from.getTime() + partitionMs).toISOString()
    await createPartition(db, { table: 'audit_log', name: `audit_log_p${index}`, from: from.toISOString(), to })
  }
  const organizations = ['org_1', 'org_2'].map((id) => ({ id, name: id, created_at: now }))
  await db.insertInto('organizations').values(organizations).execute()
  await sql`insert into users (id, email, name, created_at) select 'user_' || n, 'u' || n || '@x.test', 'U', ${now}
    from generate_series(1, 2) as n`.execute(db)
  await sql`
    insert into audit_log (id, organization_id, occurred_at, action, actor_kind, actor_id, user_id, subject_type, subject_id,
      details, request_id)
    select 'audit_' || lpad(n::text, 8, '0'), 'org_' || n % 2 + 1, ${now}::timestamptz - n * (${everyMs}::integer * interval '1 ms'),
      case when n = 10000 then 'member.role_changed' when n % 1000 = 0 then 'api_key.created'
        when n % 10 = 0 then 'reference.created' else 'query.created' end, 'user',
      actor, actor, 'query', 'query_' || n, '{}', 'req_' || n
    from generate_series(1, ${recordCount}::integer) as n,
      lateral (select case when n % 10 = 0 then 'user_2' else 'user_1' end as actor) as acting`.execute(db)
  await sql`
    insert into key_use (organization_id, key_id, hour, route, key_name, user_id, request_count, refused_count, failed_count,
      first_at, last_at, last_status)
    select 'org_1', 'key_' || key, date_trunc('hour', ${now}::timestamptz) - hour * interval '1 hour', 'GET /api/me', 'K',
      'user_1', 1, 0, 0, ${now}, ${now}, 200
    from generate_series(1, 10) as key, generate_series(0, 399) as hour`.execute(db)
})
afterAll(async () => {
  await costs.close()
  await store.close()
})

describe.each([{ isAnalyzed: false }, { isAnalyzed: true }])('a page’s cost, statistics: $isAnalyzed', ({ isAnalyzed }) => {
  beforeAll(async () => {
    if (isAnalyzed) await sql`analyze audit_log, key_use`.execute(store.db)
  })

  const page = (filter: AuditFilter, after?: { createdAt: string; id: string }) =>
    costs.measure((db) => readAuditLog(db, { organizationId: 'org_1', filter, count: 21, ...(after && { after }) }))

  test.each<[string, AuditFilter]>([
    ['all', {}],
    ['a person', { actorId: 'user_1' }],
    ['a group', { actions: ['api_key.created', 'api_key.revoked', 'member.role_changed'] }],
    ['a thing', { subjectId: 'query_10000' }],
    ['the id of a request', { found: 'req_10000' }],
    ['the id of a thing', { found: 'query_10000' }],
    ['a period', { from: ago(9000), to: ago(7000) }],
  ])('for %s grows with the page, not with the log', async (_, filter) => {
    const { answer, cost } = await page(filter)
    expect(answer.rows.length).toBeGreaterThan(0)
    expect(cost.scannedTables).toEqual([])
    expect(cost.rowsInOneStep).toBeLessThan(100)
    expect(cost.buffers).toBeLessThan(150)
  })

  test('is the same deep in the log as at its beginning', async () => {
    const after = { createdAt: ago(11_000).toISOString(), id: 'audit_00011000' }
    const { answer, cost } = await page({}, after)
    expect(answer.rows[0]!.id).toBe('audit_00011002')
    expect(cost.buffers).toBeLessThan(150)
  })

  const pageOfBoth = (filter: AuditFilter) =>
    costs.measureEach((db) => readAuditLog(db, { organizationId: 'org_1', filter, count: 21 }))

  test.each<[string, AuditFilter, string[]]>([
    ['never happened', { actorId: 'user_1', actions: ['member.left'] }, []],
    ['happened once', { actorId: 'user_2', actions: ['member.left', 'member.role_changed'] }, ['audit_00010000']],
  ])('for a person and an action that %s grows with the action, not with the person', async (_, filter, ids) => {
    const { answer, costs: ofBoth } = await pageOfBoth(filter)
    expect(answer.rows.map(({ id }) => id)).toEqual(ids)
    expect(answer.lookedUpTo).toBeNull()
    expect(ofBoth.flatMap(({ scannedTables }) => scannedTables)).toEqual([])
    expect(Math.max(...ofBoth.map(({ rowsInOneStep }) => rowsInOneStep))).toBeLessThan(10)
  })

  test('is bounded for a person who never did what others often do, and says where to continue', async () => {
    const { answer, costs: ofBoth } = await pageOfBoth({ actorId: 'user_1', actions: ['reference.created'] })
    expect(answer.rows).toEqual([])
    expect(answer.lookedUpTo!.id > 'audit_00010000').toBe(true)
    expect(ofBoth.flatMap(({ scannedTables }) => scannedTables)).toEqual([])
    expect(Math.max(...ofBoth.map(({ rowsInOneStep }) => rowsInOneStep))).toBeLessThanOrEqual(5000)
  })

  test('for key usage grows with the requested period', async () => {
    const from = new Date(now.getTime() - 24 * 3600_000)
    const { answer, cost } = await costs.measure((db) => readKeyUse(db, { organizationId: 'org_1', from, count: 3 }))
    expect(answer.map(({ id, days }) => [id, days.length])).toEqual([['key_1', 2], ['key_10', 2], ['key_2', 2]])
    expect(cost.scannedTables).not.toContain('key_use')
    expect(cost.rowsInOneStep).toBeLessThan(200)
  })

  test('is zero for a sweep that finds nothing old', async () => {
    const before = new Date(now.getTime() - 400 * dayMs)
    const { answer, cost } = await costs.measure((db) => removeOldRows(db, { table: 'audit_log', partition: 'audit_log_p0', before, portion: 1000 }))
    expect(answer).toBe(0)
    expect(cost.buffers).toBeLessThan(20)
  })
})
