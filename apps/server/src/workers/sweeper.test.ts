import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clearWebhooks, createEndpoint, endpointsUrl } from '../../testing/http/webhook-requests.ts'
import type { ResultStore } from '../results/result-store.ts'
import { pollPause } from '../../testing/poll-pause.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { ruleKindsOf, storeKinds } from '../../testing/store/test-store.ts'
import { makeSweeper, sweep, type SweeperDeps } from './sweeper.ts'

const dayMs = 24 * 3600_000

/** A log that keeps the errors. */
function rememberingLog() {
  const errors: { kind: string; err: Error }[] = []
  const log = { ...silentLog, info: () => {}, error: (fields: { kind: string; err: Error }) => void errors.push(fields) }
  return { log: log as unknown as SweeperDeps['log'], errors }
}

/** Results whose sweep the test controls. */
const resultsThat = (removeBatch: ResultStore['sweep']) => ({ removeAll: async () => {}, sweep: removeBatch }) as unknown as ResultStore

describe.each(storeKinds)('the sweeper on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())
  beforeEach(() => clearWebhooks(service))

  async function addNotifications(count: number) {
    const { organizationId, userId } = shop.admin.caller
    const created = new Date(service.clock.now().getTime() - 91 * dayMs)
    await sql`
      insert into notifications (id, organization_id, user_id, kind, message, link, created_at)
      select 'ntf_' || n, ${organizationId}, ${userId}, 'run_failed', 'old', '/chats/a', ${created}
      from generate_series(1, ${count}::integer) as n`.execute(service.services.db)
  }
  async function addDeliveries(endpointId: string, count: number) {
    const now = service.clock.now()
    await sql`
      insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, ended_at)
      select 'dlv_' || n, 'evt_1', ${endpointId}, 'delivered', false, ${now}, ${now}
      from generate_series(1, ${count}::integer) as n`.execute(service.services.db)
  }
  async function count(table: 'notifications' | 'webhook_deliveries') {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ${sql.ref(table)}`.execute(
      service.services.db,
    )
    return rows[0]!.count
  }

  test('a stop during a long sweep waits only for the current batch', async () => {
    const begun: PromiseWithResolvers<{ removed: number; hasMore: boolean }>[] = []
    const results = resultsThat(() => {
      begun.push(Promise.withResolvers())
      return begun.at(-1)!.promise
    })
    await addNotifications(1)
    const sweeper = makeSweeper({ ...service.services, results })
    sweeper.start()
    sweeper.look()
    while (begun.length === 0) await pollPause()
    begun[0]!.resolve({ removed: 200, hasMore: true })
    while (begun.length === 1) await pollPause()
    const stopped = sweeper.stop()
    begun[1]!.resolve({ removed: 200, hasMore: true })
    await stopped
    expect(begun).toHaveLength(2)
    // The later sweeps of the same pass are skipped too.
    expect(await count('notifications')).toBe(1)
    await sweep(service.services)
    expect(await count('notifications')).toBe(0)
  })

  test.each(ruleKindsOf(kind))('a stop between two passes does not wait for the next', async () => {
    let batches = 0
    const results = resultsThat(async () => {
      batches += 1
      return { removed: 200, hasMore: true }
    })
    const sweeper = makeSweeper({ ...service.services, results })
    sweeper.start()
    expect(batches).toBe(0)
    // The first sweep leaves the store to the process that starts.
    service.clock.leap(5_000)
    while (batches < 10 || service.clock.sleepers() === 0) await pollPause()
    await sweeper.stop()
    expect(batches).toBe(10)
  })

  test('removes the whole log of a deleted endpoint in consecutive passes, however long it is', async () => {
    const { id } = await createEndpoint(shop)
    await addDeliveries(id, 12_000)
    await shop.admin.page('DELETE', `${endpointsUrl}/${id}`)
    const swept: number[] = []
    const onSwept: SweeperDeps['onSwept'] = ({ kind: what, rows }) => void (what === 'webhook_deliveries' && swept.push(rows))
    const sweeper = makeSweeper({ ...service.services, onSwept })
    const begunAt = service.clock.now().getTime()
    sweeper.start()
    while ((await count('webhook_deliveries')) > 0) {
      if (service.clock.sleepers() > 0) service.clock.leap(1000)
      else await pollPause()
    }
    await sweeper.stop()
    // Batch by batch, and long before the next scheduled sweep.
    expect(Math.max(...swept)).toBe(1000)
    expect(swept.reduce((sum, rows) => sum + rows)).toBe(12_000)
    expect(service.clock.now().getTime() - begunAt).toBeLessThan(10_000)
  })

  test.each(ruleKindsOf(kind))('a failed sweep is logged and does not prevent the others', async () => {
    await addNotifications(3)
    const { log, errors } = rememberingLog()
    const results = resultsThat(() => Promise.reject(new Error('the bucket is away')))
    expect(await sweep({ ...service.services, results, log })).toBe(false)
    expect(errors).toMatchObject([{ kind: 'result_bytes', err: { message: 'the bucket is away' } }])
    expect(await count('notifications')).toBe(0)
  })

  test.each(ruleKindsOf(kind))('processes that sweep at the same time share the work', async () => {
    await addNotifications(2500)
    const { log, errors } = rememberingLog()
    let rows = 0
    const deps: SweeperDeps = { ...service.services, log, onSwept: (swept) => void (rows += swept.rows) }
    await Promise.all([sweep(deps), sweep(deps), sweep(deps)])
    while (await sweep(deps));
    expect(errors).toEqual([])
    expect([await count('notifications'), rows]).toEqual([0, 2500])
  })
})
