import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { untilWaiting } from '../../../../testing/people/until-waiting.ts'
import { endpointsMax } from '../../../domain/webhooks/endpoints/endpoints.ts'
import type { Tx } from '../../../store/db.ts'
import { lockFailingEndpoint } from '../../../store/webhooks/endpoint-failures.ts'
import { insertEndpoint, lockEndpoint, setEndpointState } from '../../../store/webhooks/endpoints-table.ts'
import { insertDeliveries } from '../../../store/webhooks/insert-deliveries.ts'
import { takeReplayLock } from '../../../store/webhooks/read-replay-events.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { expectRefusal } from '../../../../testing/http/requests.ts'
import { clearWebhooks, createEndpoint, endpointsUrl, getEndpoint, publish, settle, statesOf } from '../../../../testing/http/webhook-requests.ts'

// Only a server has two connections, so that a request can run into another's transaction.
let service: TestService
let shop: TestOrganization

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
})
afterAll(() => service.stop())
beforeEach(() => clearWebhooks(service))

const post = (url: string, body?: object) => shop.admin.page('POST', url, body)

/** Runs `first` in a transaction that commits only once `second` waits for it. */
async function during<Answer>(first: (tx: Tx) => Promise<unknown>, second: () => Promise<Answer>): Promise<Answer> {
  const { db } = service.services
  let acting: Promise<Answer> | undefined
  let isOver = false
  await db.transaction().execute(async (tx) => {
    await first(tx)
    acting = second().finally(() => (isOver = true))
    await untilWaiting(db, 1, () => isOver)
  })
  return acting!
}

describe('while an endpoint is being disabled', () => {
  const disabling = (endpointId: string) => (tx: Tx) =>
    setEndpointState(tx, endpointId, { state: 'disabled', reason: 'Disabled by a test.', now: service.clock.now() })

  test.each(['resend', 'replay', 'send-held'] as const)('a %s sends nothing', async (action) => {
    const { id } = await createEndpoint(shop)
    const { deliveryIds } = await publish(service, shop)
    await settle(service, deliveryIds[0]!, action === 'send-held' ? 'held' : 'exhausted')
    const before = await statesOf(service, id)
    const answer = await during(disabling(id), () =>
      action === 'resend'
        ? post(`/app/api/deliveries/${deliveryIds[0]}/resend`)
        : post(`${endpointsUrl}/${id}/${action}`, action === 'replay' ? { count: 1 } : undefined),
    )
    expectRefusal(answer, 'endpoint_disabled')
    expect(await statesOf(service, id)).toEqual(before)
  })

  test('publishing to it does not wait', async () => {
    const { id } = await createEndpoint(shop)
    const key = { organizationId: shop.admin.caller.organizationId, endpointId: id }
    const locks = [(tx: Tx) => lockEndpoint(tx, key), (tx: Tx) => lockFailingEndpoint(tx, id)]
    for (const lock of locks) {
      const deliveryIds = await service.services.db.transaction().execute(async (tx) => {
        await lock(tx)
        await disabling(id)(tx)
        return (await publish(service, shop)).deliveryIds
      })
      expect(deliveryIds).toHaveLength(1)
    }
  })

  test('enabling waits for it', async () => {
    const { id } = await createEndpoint(shop)
    const answer = await during(disabling(id), () => post(`${endpointsUrl}/${id}/enable`))
    expect(answer.json()).toMatchObject({ state: 'enabled', disabledReason: null })
    expect(await getEndpoint(shop.admin, id)).toMatchObject({ state: 'enabled', disabledReason: null })
  })
})

test('a concurrent replay waits and sends nothing twice', async () => {
  const { id } = await createEndpoint(shop)
  const { deliveryIds, eventId } = await publish(service, shop)
  await settle(service, deliveryIds[0]!, 'exhausted')
  const answer = await during(
    async (tx) => {
      await takeReplayLock(tx, id)
      await insertDeliveries(tx, {
        endpointId: id,
        deliveries: [{ id: 'dlv_first', eventId }],
        isTest: false,
        requestedBy: shop.admin.caller.userId,
        now: service.clock.now(),
      })
    },
    () => post(`${endpointsUrl}/${id}/replay`, { count: 1 }),
  )
  expect(answer.json()).toEqual({ count: 0 })
})

test('while the last allowed endpoint is being created, another request waits and is rejected', async () => {
  const { secret: _, ...endpoint } = await createEndpoint(shop)
  const { db } = service.services
  const row = await db.selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow()
  const more = Array.from({ length: endpointsMax - 2 }, (__, index) => ({ ...row, id: `we_more${index}` }))
  await db.insertInto('webhook_endpoints').values(more).execute()
  const now = service.clock.now()
  const last = { ...endpoint, id: 'we_last', organizationId: row.organization_id, secret: row.secret, createdAt: now, updatedAt: now }
  const answer = await during(
    (tx) => insertEndpoint(tx, last, { countMax: endpointsMax }),
    () => post(endpointsUrl, { url: 'https://hooks.example/', eventTypes: ['automation.run.failed'] }),
  )
  expectRefusal(answer, 'invalid_request', { message: /Delete one first/ })
})
