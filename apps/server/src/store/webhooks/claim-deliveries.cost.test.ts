import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testMembers } from '../../../testing/people/members.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { withOpenSnapshot } from '../../../testing/store/open-snapshot.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Db, Store } from '../db.ts'
import { createPartition } from '../partitions/change-partitions.ts'
import { claimBesideMany, claimDeliveries, claimFromLanes, type VisitOptions } from './claim-deliveries.ts'
import { dueRetriesAtOnce, lanesAtOnce } from './lane-turns.ts'
import { parkBlocked } from './order-deliveries.ts'
import { newestMax, readNewestLanes } from './read-newest-lanes.ts'

const laneCount = 20
const size = 4000

describe('the cost of a claim', () => {
  let store: Store & { url?: string }
  let costs: StatementCosts
  const clock = manualClock()
  const now = clock.now()
  const wholeLanes = new Date(0)

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true, clock })
    const people = testMembers({ db: store.db, clock, random: seededRandom('claim cost') })
    const { organizationId, userId } = await people.member(await people.organization())
    await sql`
      insert into webhook_endpoints (id, organization_id, url, event_types, state, secret, created_by, created_at, updated_at)
      select 'we_' || i, ${organizationId}, 'https://hooks.example/', '{automation.run.completed}', 'enabled', '', ${userId},
        ${now}, ${now}
      from generate_series(1, ${laneCount}::integer) as i`.execute(store.db)
    await sql`
      insert into webhook_events (id, organization_id, type, created_at, body)
      values ('evt_1', ${organizationId}, 'automation.run.completed', ${now}, '{}')`.execute(store.db)
    // As in a worker, which prepares the statement once.
    costs = openStatementCosts(store.url!, { now, plan: 'generic' })
  })
  afterAll(async () => {
    await costs.close()
    await store.close()
  })
  beforeEach(async () => {
    await sql`truncate webhook_deliveries`.execute(store.db)
    await sql`update webhook_endpoints set state = 'enabled', disabled_at = null, disabled_reason = null`.execute(store.db)
  })

  /** Adds deliveries that fell due one after the other, the last one a second ago, in all lanes or in one. */
  const add = (count: number, { name = 'dlv', endpointId = null as string | null, isTest = false } = {}) => sql`
    insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at)
    select ${name}::text || i, 'evt_1', coalesce(${endpointId}::text, 'we_' || (1 + i % ${laneCount}::integer)), 'pending', ${isTest},
      at, at
    from generate_series(1, ${count}::integer) as i,
      lateral (select ${now}::timestamptz - interval '1 second' - (${count}::integer - i) * interval '1 second' as at) as made`.execute(store.db)

  const options = {
    workerId: 'worker_1',
    // Expires at once, so that the same deliveries are claimed when the statement runs again under EXPLAIN.
    leaseMs: 0,
    count: 256,
    afterLane: '',
    rooms: new Map<string, number>(),
    roomOfOthers: 2,
    unfinished: [],
    goneWorkers: [],
    dueFrom: wholeLanes,
  }

  /** Together, if it takes several statements. */
  const measure = async <Answer>(work: (db: Db) => Promise<Answer>) => {
    const { answer, costs: each } = await costs.measureEach(work)
    const cost = {
      ...each[0]!,
      rowsInOneStep: Math.max(...each.map(({ rowsInOneStep }) => rowsInOneStep)),
      buffers: each.reduce((sum, { buffers }) => sum + buffers, 0),
    }
    return { answer, cost }
  }

  const claim = (rest: Partial<VisitOptions> = {}) => measure((db) => claimDeliveries(db, { ...options, ...rest }))

  test('does not grow with the number of pending deliveries', async () => {
    await add(size)
    const { answer, cost } = await claim()
    expect(answer.deliveries).toHaveLength(2 * laneCount)
    expect(answer.earliestDueAt).toEqual(new Date(now.getTime() - size * 1000))
    expect(cost.rowsInOneStep).toBeLessThanOrEqual(2 * laneCount)
    expect(cost.buffers).toBeLessThan(50 * laneCount)
  })

  test('does not grow with the backlog of one endpoint, from which the planner concludes that very much is due', async () => {
    const bounds = ['evt_zA', 'evt_zB', 'evt_zC', 'evt_zD']
    for (const [index, to] of bounds.entries()) {
      if (index === 0) continue
      await createPartition(store.db, { table: 'webhook_events', name: `webhook_events_p${index}`, from: bounds[index - 1]!, to })
    }
    const backlog = 5 * size
    await sql`
      insert into webhook_events (id, organization_id, type, created_at, body)
      select 'evt_0_' || i, organization_id, type, created_at, repeat('x', 600)
      from webhook_events, generate_series(1, ${backlog}::integer) as i where id = 'evt_1'`.execute(store.db)
    await sql`
      insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at)
      select 'dlv_0_' || i, 'evt_0_' || i, 'we_1', 'pending', false, ${now}, ${now}
      from generate_series(1, ${backlog}::integer) as i`.execute(store.db)
    await sql`analyze webhook_events, webhook_deliveries`.execute(store.db)
    await add(laneCount)
    const { answer, cost } = await claim()
    expect(answer.deliveries).toHaveLength(laneCount + 1)
    expect(cost.scannedTables).toEqual([])
    expect(cost.rowsInOneStep).toBeLessThanOrEqual(2 * laneCount)
    expect(cost.buffers).toBeLessThan(50 * laneCount)
  })

  test('does not grow with pending deliveries of endpoints that are not visited', async () => {
    await add(size)
    const { answer, cost } = await measure((db) => claimFromLanes(db, options, ['we_1', 'we_2']))
    expect(answer.deliveries.map(({ endpointId }) => endpointId).toSorted()).toEqual(['we_1', 'we_1', 'we_2', 'we_2'])
    expect(cost.rowsInOneStep).toBeLessThanOrEqual(4)
    expect(cost.buffers).toBeLessThan(50 * 2)
  })

  test.each([false, true])('the newest lanes are found among any number of deliveries; analyzed: %s', async (isAnalyzed) => {
    await add(size)
    await sql`update webhook_deliveries set state = 'delivered', next_attempt_at = null, ended_at = ${now} where id not in ('dlv999', 'dlv998')`.execute(store.db)
    if (isAnalyzed) await sql`analyze webhook_deliveries`.execute(store.db)
    const { answer, costs: each } = await costs.measureEach(readNewestLanes)
    expect(answer).toHaveLength(2)
    expect(each[0]!.rowsInOneStep).toBe(newestMax)
    expect(each[0]!.buffers).toBeLessThan(newestMax)
  })

  test('visits a likely lane once if the tour reaches it, and continues after the last lane of the tour that was served', async () => {
    await add(size)
    const besideMany = async (rest: Partial<VisitOptions> = {}) => {
      const { answer } = await measure((db) => claimBesideMany(db, { ...options, likely: ['we_10', 'we_9'], tourLaneMax: 3, ...rest }))
      return { ...answer, lanes: answer.deliveries.map(({ endpointId }) => endpointId).toSorted() }
    }
    expect(await besideMany()).toMatchObject({
      lanes: ['we_1', 'we_1', 'we_10', 'we_10', 'we_11', 'we_11', 'we_9', 'we_9'],
      nextAfterLane: 'we_11',
      tourLaneCount: 3,
      // The ninth delivery is the first one to one of these.
      earliestDueAt: new Date(now.getTime() - (1 + size - 9) * 1000),
    })
    expect(await besideMany({ count: 6 })).toMatchObject({ lanes: ['we_1', 'we_1', 'we_10', 'we_10', 'we_9', 'we_9'], nextAfterLane: 'we_1' })
    expect(await besideMany({ count: 4, afterLane: 'we_12' })).toMatchObject({ nextAfterLane: 'we_12' })
    expect(await besideMany({ afterLane: 'we_7' })).toMatchObject({ nextAfterLane: '', tourLaneCount: 2 })
  })

  test('visits only the lanes of a tour that have room', async () => {
    await add(size)
    const rooms = new Map([['we_17', 1]])
    const { answer, cost } = await measure((db) => claimBesideMany(db, { ...options, likely: [], rooms, roomOfOthers: 0 }))
    expect(answer).toMatchObject({ deliveries: [{ endpointId: 'we_17' }], tourLaneCount: laneCount, nextAfterLane: '' })
    expect(cost.rowsInOneStep).toBeLessThanOrEqual(laneCount)
    expect(cost.buffers).toBeLessThan(15 * laneCount)
  })

  test('does not grow with deliveries completed since an open snapshot', async () => {
    await withOpenSnapshot(store.db, async () => {
      await add(size)
      await sql`update webhook_deliveries set state = 'delivered', next_attempt_at = null, ended_at = ${now}`.execute(store.db)
      await add(5 * laneCount, { name: 'new' })
      const full = await claim()
      const fromFloor = await claim({ dueFrom: full.answer.earliestDueAt! })
      const idsOf = ({ answer }: typeof full) => answer.deliveries.map(({ id }) => id).toSorted()
      expect(idsOf(full)).toHaveLength(2 * laneCount)
      expect(idsOf(fromFloor)).toEqual(idsOf(full))
      // The first claim checks each old entry; the second skips them.
      expect(full.cost.buffers).toBeGreaterThan(2 * fromFloor.cost.buffers)
      expect(fromFloor.cost.buffers).toBeLessThan(50 * laneCount)
    })
  })

  describe('beside endpoints with nothing due', () => {
    const waitingCount = 600

    beforeAll(() =>
      sql`
        insert into webhook_endpoints (id, organization_id, url, event_types, state, secret, created_by, created_at, updated_at)
        select 'we_0_' || i, organization_id, url, event_types, state, secret, created_by, created_at, updated_at
        from webhook_endpoints cross join generate_series(1, ${waitingCount}::integer) as i where id = 'we_1'`.execute(store.db),
    )

    /** Adds retries of each of these endpoints, the first one due after `dueInS` seconds, the next one a second later. */
    const addRetries = (dueInS: number, { each = 3, endpoints = waitingCount } = {}) => sql`
      insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at, attempt_count)
      select 'retry' || i || '_' || n, 'evt_1', 'we_0_' || i, 'pending', false, ${now},
        ${now}::timestamptz + (${dueInS}::integer + n - 1) * interval '1 second', 1
      from generate_series(1, ${endpoints}::integer) as i, generate_series(1, ${each}::integer) as n`.execute(store.db)
    const idsOf = ({ answer }: Awaited<ReturnType<typeof claim>>) => answer.deliveries.map(({ id }) => id).toSorted()
    const analyzed = [false, true]

    test.each(analyzed)('does not grow with retries that are not due; analyzed: %s', async (isAnalyzed) => {
      await addRetries(60)
      await sql`
        update webhook_deliveries set next_attempt_at = ${now} where id in ('retry7_1', 'retry599_1', 'retry599_2')`.execute(store.db)
      await add(2, { endpointId: 'we_3' })
      if (isAnalyzed) await sql`analyze webhook_deliveries`.execute(store.db)
      const found = await claim({ roomOfOthers: 1 })
      expect(idsOf(found)).toEqual(['dlv1', expect.stringMatching(/^retry599_/), 'retry7_1'])
      expect(found.answer).toMatchObject({ tourLaneCount: 3, nextAfterLane: '' })
      expect(found.cost.rowsInOneStep).toBeLessThanOrEqual(10)
      expect(found.cost.buffers).toBeLessThan(150)
      expect(idsOf(await claim({ afterLane: 'we_0_7' }))).toEqual(['dlv1', 'dlv2'])
    })

    test.each(analyzed)('does not grow with keys whose first delivery waits for a retry; analyzed: %s', async (isAnalyzed) => {
      await addRetries(60, { each: 1 })
      await sql`
        insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at, order_key, order_number)
        select 'parked' || i, 'evt_1', 'we_0_' || i, 'pending', false, ${now}, 'infinity', 'key', i
        from generate_series(1, ${waitingCount}::integer) as i`.execute(store.db)
      await add(1, { endpointId: 'we_3' })
      if (isAnalyzed) await sql`analyze webhook_deliveries`.execute(store.db)
      const found = await claim()
      expect(idsOf(found)).toEqual(['dlv1'])
      expect(found.cost.buffers).toBeLessThan(100)
    })

    test.each(analyzed)('does not grow with the due retries of one endpoint; analyzed: %s', async (isAnalyzed) => {
      await addRetries(-5 * size, { each: 5 * size, endpoints: 1 })
      await add(2 * laneCount)
      if (isAnalyzed) await sql`analyze webhook_deliveries`.execute(store.db)
      const found = await claim()
      expect(found.answer.deliveries).toHaveLength(2 * laneCount + 2)
      expect(found.cost.rowsInOneStep).toBeLessThanOrEqual(dueRetriesAtOnce)
      expect(found.cost.buffers).toBeLessThan(50 * laneCount)
    })

    test('visits all lanes in turn if many retries are due', async () => {
      await addRetries(0, { each: 1 })
      await add(1, { endpointId: 'we_3' })
      const lanes = (answer: { deliveries: { endpointId: string }[] }) => answer.deliveries.map(({ endpointId }) => endpointId)
      const first = (await claim({ count: 1000 })).answer
      expect(first.deliveries).toHaveLength(lanesAtOnce)
      expect(first.nextAfterLane).toBe(lanes(first).toSorted().at(-1))
      const second = (await claim({ count: 1000, afterLane: first.nextAfterLane })).answer
      expect(second.nextAfterLane).toBe('')
      expect(new Set([...lanes(first), ...lanes(second)]).size).toBe(waitingCount + 1)
    })
  })

  test.each([
    [1, false],
    [1, true],
    [500, false],
    [500, true],
  ])('does not grow with deliveries behind the heads of %s keys; analyzed: %s', async (keyCount, isAnalyzed) => {
    await sql`
      insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at, order_key, order_number)
      select 'dlv' || i, 'evt_1', 'we_7', 'pending', false, ${now}, ${now}, 'key' || i % ${keyCount}::integer, i
      from generate_series(1, ${size}::integer) as i`.execute(store.db)
    let parkedCount = 0
    for (let count = 1; count > 0; parkedCount += count) count = await parkBlocked(store.db, 'we_7')
    expect(parkedCount).toBe(size - keyCount)
    if (isAnalyzed) await sql`analyze`.execute(store.db)
    const { answer, cost } = await claim({ roomOfOthers: 10 })
    expect(answer.deliveries.map(({ id }) => id)).toHaveLength(Math.min(keyCount, 10))
    expect(answer.deliveries.every(({ id }) => Number(id.slice(3)) <= keyCount)).toBe(true)
    expect(answer.blockedLanes).toEqual([])
    expect(cost.rowsInOneStep).toBeLessThanOrEqual(50)
    expect(cost.buffers).toBeLessThan(500)
  })

  test.each([false, true])('does not grow with deliveries not yet held for a disabled endpoint; analyzed: %s', async (isAnalyzed) => {
    await add(size, { endpointId: 'we_7' })
    await add(3, { name: 'test', endpointId: 'we_7', isTest: true })
    await add(5, { name: 'other', endpointId: 'we_8' })
    await sql`
      update webhook_endpoints set state = 'disabled', disabled_at = ${now}, disabled_reason = '' where id = 'we_7'`.execute(store.db)
    if (isAnalyzed) await sql`analyze`.execute(store.db)
    const { answer, cost } = await claim({ roomOfOthers: 10 })
    expect(answer.deliveries.map(({ id }) => id).toSorted()).toEqual(
      ['other1', 'other2', 'other3', 'other4', 'other5', 'test1', 'test2', 'test3'],
    )
    // A disabled endpoint does not lower the floor.
    expect(answer.earliestDueAt).toEqual(new Date(now.getTime() - 5_000))
    expect(cost.rowsInOneStep).toBeLessThanOrEqual(50)
    expect(cost.buffers).toBeLessThan(500)
  })

  test('tests of disabled endpoints count toward the requested number of deliveries', async () => {
    await add(3, { name: 'test', endpointId: 'we_7', isTest: true })
    await add(5, { name: 'other', endpointId: 'we_8' })
    await sql`
      update webhook_endpoints set state = 'disabled', disabled_at = ${now}, disabled_reason = '' where id = 'we_7'`.execute(store.db)
    expect((await claim({ roomOfOthers: 10, count: 7 })).answer.deliveries).toHaveLength(7)
  })
})
