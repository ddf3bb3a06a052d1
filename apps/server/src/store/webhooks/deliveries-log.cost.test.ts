import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testMembers } from '../../../testing/people/members.ts'
import type { LogFilter } from '../../model/delivery-log.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Store } from '../db.ts'
import { readDeliveriesLog } from './deliveries-log.ts'
import { readEndpointHealth } from './endpoint-health.ts'
import { readEndpointSeries } from './read-endpoint-series.ts'
import { countReplayEvents } from './read-replay-events.ts'
import { removeOldDeliveries } from './remove-old-deliveries.ts'

const deliveryCount = 40_000
const limit = 20

describe('the cost of an endpoint’s long log', () => {
  let store: Store & { url?: string }
  let costs: StatementCosts
  const clock = manualClock()
  const now = clock.now()

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true })
    const people = testMembers({ db: store.db, clock, random: seededRandom('log cost') })
    const admin = await people.member(await people.organization())
    await sql`
      insert into webhook_endpoints (id, organization_id, url, event_types, state, secret, created_by, created_at, updated_at)
      select 'we_' || i, ${admin.organizationId}, 'https://hooks.example/', '{automation.run.completed}', 'enabled', '',
        ${admin.userId}, ${now}, ${now}
      from generate_series(1, 20) as i`.execute(store.db)
    // One event in 10,000 is a failed run. One delivery in 5,000 is exhausted, and as many are held.
    await sql`
      insert into webhook_events (id, organization_id, type, created_at, body)
      select 'evt_' || i, ${admin.organizationId},
        case when i % 10000 = 0 then 'automation.run.failed' else 'automation.run.completed' end, ${now}, '{}'
      from generate_series(1, ${deliveryCount}::integer) as i`.execute(store.db)
    const attempt = JSON.stringify([{ number: 1, durationMs: 10, response: 'x'.repeat(500), failure: null }])
    await sql`
      insert into webhook_deliveries
        (id, event_id, endpoint_id, state, is_test, created_at, attempt_count, attempts, held_at, ended_at)
      select 'dlv_' || i, 'evt_' || i, 'we_1', state, false, at, 1, ${attempt}::jsonb,
        case state when 'held' then at end, case when state <> 'held' then at end
      from generate_series(1, ${deliveryCount}::integer) as i,
        lateral (select case i % 5000 when 1 then 'exhausted' when 2 then 'held' else 'delivered' end as state,
          ${now}::timestamptz - i * interval '1 second' as at) as made`.execute(store.db)
    // One endpoint has old held and newer exhausted deliveries; another has more held ones than are counted.
    await sql`
      insert into webhook_deliveries
        (id, event_id, endpoint_id, state, is_test, created_at, attempt_count, attempts, held_at, ended_at)
      select 'dlv_' || endpoint_id || '_' || i, 'evt_' || i, endpoint_id, state, false, at, 1, ${attempt}::jsonb,
        case state when 'held' then at end, case when state <> 'held' then at end
      from unnest(array['we_3', 'we_4']) as endpoint_id, generate_series(1, 4000) as i,
        lateral (select case when endpoint_id = 'we_4' or i > 3995 then 'held' else 'exhausted' end as state,
          ${now}::timestamptz - i * interval '1 second' as at) as made`.execute(store.db)
    costs = openStatementCosts(store.url!)
  })
  afterAll(async () => {
    await costs.close()
    await store.close()
  })

  const measureLog = (filter: LogFilter = {}, after?: { createdAt: string; id: string }) =>
    costs.measure((db) =>
      readDeliveriesLog(db, { endpointId: 'we_1', filter, count: limit + 1, now, ...(after && { after }) }),
    )
  const deep = { createdAt: new Date(now.getTime() - 30_000_000).toISOString(), id: 'dlv_30000' }

  describe.each([false, true])('with statistics: %s', (isAnalyzed) => {
    beforeAll(async () => {
      if (isAnalyzed) await sql`analyze`.execute(store.db)
    })

    test('of a page depends on its items, not its position', async () => {
      for (const after of [undefined, deep]) {
        const { answer, cost } = await measureLog({}, after)
        expect(answer.rows).toHaveLength(limit + 1)
        expect(cost.buffers).toBeLessThan(20 * limit)
        expect(cost.rowsInOneStep).toBeLessThan(5 * limit)
      }
    })

    test.each(['exhausted', 'held'] as const)('of finding %s deliveries does not include others', async (state) => {
      const { answer, cost } = await measureLog({ state })
      expect(answer.rows).toHaveLength(deliveryCount / 5000)
      expect(answer.lookedUpTo).toBeNull()
      expect(cost.buffers).toBeLessThan(20 * limit)
    })

    test('of finding few pending deliveries does not include others', async () => {
      await sql`
        update webhook_deliveries set state = 'pending', next_attempt_at = ${now}, ended_at = null where id in ('dlv_10', 'dlv_30000')`.execute(store.db)
      const { answer, cost } = await measureLog({ state: 'pending' })
      expect(answer.rows.map(({ item }) => item.id)).toEqual(['dlv_10', 'dlv_30000'])
      expect(answer.lookedUpTo).toBeNull()
      expect(cost.buffers).toBeLessThan(5 * limit)
      await sql`update webhook_deliveries set state = 'delivered', next_attempt_at = null, ended_at = ${now} where state = 'pending'`.execute(store.db)
    })

    test('of finding held deliveries does not include exhausted ones', async () => {
      const { answer, cost } = await costs.measure((db) =>
        readDeliveriesLog(db, { endpointId: 'we_3', filter: { state: 'held' }, count: limit + 1, now }),
      )
      expect(answer.rows).toHaveLength(5)
      expect(cost.rowsInOneStep).toBeLessThan(20)
      expect(cost.buffers).toBeLessThan(5 * limit)
    })

    test.each<[string, LogFilter]>([
      ['state', { state: 'delivered' }],
      ['event type', { eventType: 'automation.run.completed' }],
    ])('of the %s that most deliveries have is a few of them per item', async (_, filter) => {
      const { answer, cost } = await measureLog(filter)
      expect(answer.rows).toHaveLength(limit + 1)
      expect(cost.rowsInOneStep).toBeLessThan(10 * limit)
      expect(cost.buffers).toBeLessThan(50 * limit)
    })

    test('of a filter without matches is at most 5,000 deliveries', async () => {
      const { answer, cost } = await measureLog({ eventType: 'automation.run.failed' })
      expect(answer.rows).toEqual([])
      expect(answer.lookedUpTo?.id).toBe('dlv_5000')
      expect(cost.scannedTables).not.toContain('webhook_deliveries')
      expect((await measureLog({ state: 'pending' })).cost.buffers).toBeLessThan(5000)
    })

    test('of health is the latest deliveries and a limited count of held ones', async () => {
      const endpointIds = Array.from({ length: 20 }, (_, index) => `we_${index + 1}`)
      const { answer, cost } = await costs.measure((db) =>
        readEndpointHealth(db, { endpointIds, recentCount: 100, heldMax: 1000 }),
      )
      expect(answer.get('we_1')).toMatchObject({ heldCount: deliveryCount / 5000, health: { exhausted: 1, held: 1 } })
      expect(answer.get('we_2')).toMatchObject({ heldCount: 0, health: { delivered: 0 } })
      expect(answer.get('we_3')).toMatchObject({ heldCount: 5, health: { exhausted: 100, held: 0 } })
      expect(answer.get('we_4')).toMatchObject({ heldCount: 1000, health: { held: 100 } })
      expect(cost.scannedTables).toEqual([])
      expect(cost.rowsInOneStep).toBeLessThan(1200)
      expect(cost.buffers).toBeLessThan(20 * 15 + 500)
    })

    test('of a series is a limited number of the latest deliveries per endpoint', async () => {
      const endpointIds = Array.from({ length: 20 }, (_, index) => `we_${index + 1}`)
      const from = new Date(now.getTime() - 24 * 3600_000)
      const { answer, cost } = await costs.measure((db) =>
        readEndpointSeries(db, { endpointIds, from, partMs: 3600_000, partCount: 24, lookMax: 1000 }),
      )
      const { parts, lookedBackTo } = answer.get('we_1')!
      expect([...parts.values()]).toEqual([{ delivered: 998, retrying: 0, exhausted: 1, held: 1 }])
      expect(lookedBackTo).toEqual(new Date(now.getTime() - 1000_000))
      expect(answer.get('we_2')).toEqual({ parts: new Map(), lookedBackTo: null })
      expect(cost.scannedTables).toEqual([])
      expect(cost.rowsInOneStep).toBeLessThanOrEqual(3 * 1000)
    })

    test('of searching by id does not include scanning the log', async () => {
      const published = { eventId: 'evt_30000', createdAt: new Date(now.getTime() - 30_000_000) }
      for (const found of [published, { deliveryId: 'dlv_30000' }]) {
        const { answer, cost } = await measureLog({ found })
        expect(answer.rows.map(({ item }) => item.id)).toEqual(['dlv_30000'])
        expect(cost.buffers).toBeLessThan(50)
        expect(cost.rowsInOneStep).toBeLessThan(20)
      }
    })

    test('of counting undelivered events for a replay does not include others', async () => {
      const { answer, cost } = await costs.measure((db) =>
        countReplayEvents(db, {
          endpointId: 'we_1',
          states: ['exhausted'],
          eventTypes: ['automation.run.completed'],
          eventsAfter: new Date(0),
          lookMax: 1000,
        }),
      )
      expect(answer).toBe(deliveryCount / 5000)
      expect(cost.scannedTables).not.toContain('webhook_deliveries')
      expect(cost.buffers).toBeLessThan(isAnalyzed ? 100 : 2000)
    })

    test('of a sweep that finds nothing is one look at the old end of all logs', async () => {
      const before = new Date(now.getTime() - 100_000_000)
      const { answer, cost } = await costs.measure((db) =>
        removeOldDeliveries(db, { createdBefore: before, heldBefore: before, createdBeforeAll: before, pendingBefore: before, idBefore: 'dlv', portion: 1000 }),
      )
      expect(answer).toBe(0)
      expect(cost.scannedTables).not.toContain('webhook_deliveries')
      expect(cost.buffers).toBeLessThan(6)
    })
  })
})
