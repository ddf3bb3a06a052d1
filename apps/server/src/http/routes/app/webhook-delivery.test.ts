import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryInFull } from '../../../model/delivery-log.ts'
import { signingKey } from '../../../domain/webhooks/secret.ts'
import type { SentRequest } from '../../../../testing/fake-network.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import {
  clearWebhooks,
  createEndpoint,
  endpointsUrl,
  getEndpoint,
  publish,
} from '../../../../testing/http/webhook-requests.ts'
import { pollPause } from '../../../../testing/poll-pause.ts'

/** The routes together with a real worker. */
describe.each(routeStoreKinds)('endpoints with a worker on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())
  beforeEach(() => clearWebhooks(service))

  const post = (url: string, body?: object) => shop.admin.page('POST', url, body)
  /** The delivery once an attempt has been recorded. */
  const attempted = async (id: string, attemptCount = 1): Promise<DeliveryInFull> => {
    for (;;) {
      const delivery = (await shop.admin.page('GET', `/app/api/deliveries/${id}`)).json<DeliveryInFull>()
      if (delivery.attemptCount >= attemptCount) return delivery
      await pollPause()
    }
  }
  const sendTest = async (endpointId: string) => (await post(`${endpointsUrl}/${endpointId}/test`)).json<{ id: string }>().id
  const signedWith = ({ headers, body }: SentRequest, secret: string) => {
    const content = `${headers['svc-webhook-id']}.${headers['svc-webhook-timestamp']}.${body}`
    return headers['svc-webhook-signature'] === `v1=${createHmac('sha256', signingKey(secret)).update(content).digest('hex')}`
  }

  test('a test is signed with the current secret, and with the next one after its activation', async () => {
    const { id, secret } = await createEndpoint(shop, { url: 'https://hooks.example/signed' })
    const requests = () => service.network.requests.filter(({ url }) => url === 'https://hooks.example/signed')
    const delivered = await attempted(await sendTest(id))
    expect(delivered).toMatchObject({ state: 'delivered', isTest: true, attempts: [{ number: 1, status: 200, failure: null }] })
    expect(requests()[0]!.body).toBe(delivered.request.body)

    const { nextSecret } = (await post(`${endpointsUrl}/${id}/rotate-secret`)).json()
    await attempted(await sendTest(id))
    await post(`${endpointsUrl}/${id}/rotate-secret`, { activate: true })
    await attempted(await sendTest(id))
    expect(requests().map((request) => signedWith(request, secret))).toEqual([true, true, false])
    expect(requests().map((request) => signedWith(request, nextSecret))).toEqual([false, false, true])
  })

  test('held deliveries can be sent, and a resend goes to the changed URL', async () => {
    const { id } = await createEndpoint(shop, { url: 'https://hooks.example/before' })
    await post(`${endpointsUrl}/${id}/disable`)
    const deliveryId = (await publish(service, shop)).deliveryIds[0]!
    await shop.admin.page('PATCH', `${endpointsUrl}/${id}`, { url: 'https://hooks.example/after' })
    await post(`${endpointsUrl}/${id}/enable`, { sendHeld: true })
    expect(await attempted(deliveryId)).toMatchObject({ state: 'delivered' })
    const again = (await post(`/app/api/deliveries/${deliveryId}/resend`)).json()
    expect(await attempted(again.id)).toMatchObject({ state: 'delivered', eventId: again.eventId })
    const sent = service.network.requests.filter(({ headers }) => headers['svc-webhook-id'] === again.eventId)
    expect(sent.map(({ url }) => url)).toEqual(['https://hooks.example/after', 'https://hooks.example/after'])
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
    expect(await getEndpoint(shop.admin, id)).toMatchObject({ heldCount: 0, health: { delivered: 2, held: 0 } })
  })

  test('the log shows the endpoint’s response', async () => {
    const { id } = await createEndpoint(shop, { url: 'https://hooks.example/broken' })
    service.network.answer('https://hooks.example/broken', { status: 503, body: 'come back later' })
    const { state, attempts } = await attempted(await sendTest(id))
    expect(state).toBe('pending')
    expect(attempts).toMatchObject([
      { status: 503, response: 'come back later', address: '93.184.216.34', failure: { kind: 'status_not_2xx' } },
    ])
  })
})
