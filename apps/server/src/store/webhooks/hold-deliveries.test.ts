import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testMembers } from '../../../testing/people/members.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Store } from '../db.ts'
import { setEndpointState } from './endpoints-table.ts'
import { holdLeftovers, holdPending } from './hold-deliveries.ts'
import { releaseHeld } from './release-held.ts'

const size = 2500
const batch = 1000

describe('many deliveries of one endpoint', () => {
  let store: Store & { url?: string }
  let costs: StatementCosts
  const clock = manualClock()
  const now = clock.now()
  const endpointId = 'we_1'

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true, clock })
    const people = testMembers({ db: store.db, clock, random: seededRandom('holding') })
    const { organizationId, userId } = await people.member(await people.organization())
    await sql`
      insert into webhook_endpoints (id, organization_id, url, event_types, state, secret, created_by, created_at, updated_at)
      select 'we_' || i, ${organizationId}, 'https://hooks.example/', '{automation.run.completed}', 'enabled', '', ${userId},
        ${now}, ${now}
      from generate_series(1, 3) as i`.execute(store.db)
    costs = openStatementCosts(store.url!, { now })
  })
  afterAll(async () => {
    await costs.close()
    await store.close()
  })

  /** Each of the three endpoints has the same pending deliveries: half are due at the same moment, one is a test, one is being sent. */
  beforeEach(async () => {
    await sql`truncate webhook_deliveries`.execute(store.db)
    await sql`
      insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at, lease_owner, lease_expires_at)
      select 'dlv_' || e || '_' || i, 'evt_' || i, 'we_' || e, 'pending', i = 7, at,
        case when i % 2 = 0 then ${now}::timestamptz else at end,
        case when i = 8 then 'worker_1' end, case when i = 8 then ${now}::timestamptz + interval '30 seconds' end
      from generate_series(1, 3) as e, generate_series(1, ${size}::integer) as i,
        lateral (select ${now}::timestamptz - i * interval '1 second' as at) as made`.execute(store.db)
    await change('enabled')
  })

  const change = (state: 'enabled' | 'disabled') =>
    store.db.transaction().execute((tx) =>
      setEndpointState(tx, endpointId, state === 'enabled' ? { state, now } : { state, reason: 'Disabled by a test.', now }),
    )
  async function states(id = endpointId): Promise<Record<string, number>> {
    const { rows } = await sql<{ state: string; count: number }>`
      select state, count(*)::integer as count from webhook_deliveries where endpoint_id = ${id} group by state`.execute(store.db)
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  }

  test('are held in batches, except tests and deliveries being sent', async () => {
    await change('disabled')
    const { costs: statements } = await costs.measureEach((db) => holdPending(db, { endpointId }))
    expect(statements).toHaveLength(3)
    for (const { rowsInOneStep } of statements) expect(rowsInOneStep).toBeLessThanOrEqual(batch)
    expect(await states()).toEqual({ held: size - 2, pending: 2 })
    expect(await states('we_2')).toEqual({ pending: size })
  })

  test('are left pending if the endpoint was enabled again', async () => {
    await holdPending(store.db, { endpointId })
    expect(await states()).toEqual({ pending: size })
  })

  test('are held as leftovers if they were not held at once or belonged to a dead worker', async () => {
    await change('disabled')
    await holdPending(store.db, { endpointId, batches: 1 })
    expect(await states()).toEqual({ held: batch, pending: size - batch })
    await holdLeftovers(store.db)
    expect(await states()).toEqual({ held: size - 2, pending: 2 })
    clock.leap(30_000)
    await holdLeftovers(store.db)
    expect(await states()).toEqual({ held: size - 1, pending: 1 })
    expect(await states('we_2')).toEqual({ pending: size })
  })

  test('are released in batches, oldest first, and an interrupted release can be continued', async () => {
    await change('disabled')
    await holdPending(store.db, { endpointId })
    const options = { endpointId, createdAfter: new Date(0) }
    // Nothing is released for a disabled endpoint.
    expect(await releaseHeld(store.db, options)).toBe(0)
    await change('enabled')
    expect(await releaseHeld(store.db, { ...options, batches: 1 })).toBe(batch)
    expect(await states()).toEqual({ held: size - 2 - batch, pending: batch + 2 })
    const { rows } = await sql<{ isOldestFirst: boolean }>`
      select max(created_at) filter (where state = 'pending' and lease_owner is null and not is_test)
        < min(created_at) filter (where state = 'held') as "isOldestFirst"
      from webhook_deliveries where endpoint_id = ${endpointId}`.execute(store.db)
    expect(rows[0]).toEqual({ isOldestFirst: true })
    expect(await releaseHeld(store.db, options)).toBe(size - 2 - batch)
    expect(await states()).toEqual({ pending: size })
  })

  test('are released with one statement per batch, which reads only its own rows', async () => {
    await change('disabled')
    await holdPending(store.db, { endpointId })
    await change('enabled')
    const { answer, costs: statements } = await costs.measureEach((db) =>
      releaseHeld(db, { endpointId, createdAfter: new Date(0) }),
    )
    expect(answer).toBe(size - 2)
    expect(statements).toHaveLength(3)
    for (const { rowsInOneStep, scannedTables } of statements) {
      expect(rowsInOneStep).toBeLessThanOrEqual(batch)
      expect(scannedTables).not.toContain('webhook_deliveries')
    }
  })

  test('stay held if the endpoint is disabled during the release', async () => {
    await change('disabled')
    await holdPending(store.db, { endpointId })
    await change('enabled')
    const options = { endpointId, createdAfter: new Date(0) }
    expect(await releaseHeld(store.db, { ...options, batches: 1 })).toBe(batch)
    await change('disabled')
    expect(await releaseHeld(store.db, options)).toBe(0)
    expect(await states()).toEqual({ held: size - 2 - batch, pending: batch + 2 })
  })
})
