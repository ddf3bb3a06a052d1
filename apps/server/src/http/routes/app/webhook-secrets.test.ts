import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeSealer } from '../../../domain/sealing.ts'
import { signingKey } from '../../../domain/webhooks/secret.ts'
import { seededRandom } from '../../../../testing/seeded-random.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'
import { clearWebhooks, createEndpoint, endpointsUrl } from '../../../../testing/http/webhook-requests.ts'

const isSecret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)

describe.each(routeStoreKinds)('secrets of endpoints on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  const lines: string[] = []

  beforeAll(async () => {
    const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
    service = await startTestService(kind, { worker: false, logger })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())
  beforeEach(() => clearWebhooks(service))

  const rotate = (id: string, body?: object) => shop.admin.page('POST', `${endpointsUrl}/${id}/rotate-secret`, body)
  const cancel = (id: string) => shop.admin.page('DELETE', `${endpointsUrl}/${id}/next-secret`)
  const read = (id: string) => shop.admin.page('GET', `${endpointsUrl}/${id}/secret`)

  test('the secret is shown on demand and never cached', async () => {
    const { id, secret } = await createEndpoint(shop)
    const answer = await read(id)
    expect(answer.json()).toEqual({ secret, nextSecret: null })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('a rotation first creates a next secret; the current one is used until the next is activated', async () => {
    const { id, secret } = await createEndpoint(shop)
    const rotated = await rotate(id)
    expect(rotated.statusCode).toBe(200)
    expect(rotated.json()).toEqual({ secret, nextSecret: isSecret })
    const { nextSecret } = rotated.json()
    expect(nextSecret).not.toBe(secret)
    expect((await read(id)).json()).toEqual({ secret, nextSecret })
    // Rotating again returns the same next secret, which the receiver may already have.
    expect((await rotate(id, { activate: false })).json()).toEqual({ secret, nextSecret })

    expect((await rotate(id, { activate: true })).json()).toEqual({ secret: nextSecret, nextSecret: null })
    expect((await read(id)).json()).toEqual({ secret: nextSecret, nextSecret: null })
    expectRefusal(await rotate(id, { activate: true }), 'next_secret_missing', { message: /Rotate the secret first/ })
    expect((await read(id)).json()).toEqual({ secret: nextSecret, nextSecret: null })
  })

  test('a next secret can be canceled, and a later one is different', async () => {
    const { id, secret } = await createEndpoint(shop)
    const { nextSecret } = (await rotate(id)).json()
    expect((await cancel(id)).json()).toEqual({ secret, nextSecret: null })
    expect((await cancel(id)).json()).toEqual({ secret, nextSecret: null })
    expectRefusal(await rotate(id, { activate: true }), 'next_secret_missing')
    expect((await rotate(id)).json().nextSecret).not.toBe(nextSecret)
  })

  test('concurrent rotations create one next secret; of concurrent activations one succeeds', async () => {
    const { id, secret } = await createEndpoint(shop)
    const rotations = await Promise.all(Array.from({ length: 6 }, () => rotate(id)))
    const nextSecrets = new Set(rotations.map((answer) => answer.json().nextSecret))
    expect(nextSecrets.size).toBe(1)
    const activations = await Promise.all(Array.from({ length: 6 }, () => rotate(id, { activate: true })))
    expect(activations.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409])
    expect((await read(id)).json()).toEqual({ secret: [...nextSecrets][0], nextSecret: null })
    expect(secret).not.toBe([...nextSecrets][0])
  })

  test.each([
    [{ activate: 'yes' }, '/activate'],
    [{ secret: 'whsec_mine' }, '/secret'],
  ])('rejects the body %o', async (body, place) => {
    const { id } = await createEndpoint(shop)
    expectRefusal(await rotate(id, body), 'invalid_request', at(place))
  })

  test('a secret stored with another SECRET_KEY gives an error, and can be rotated', async () => {
    const { id } = await createEndpoint(shop)
    const other = makeSealer({ secretKey: Buffer.alloc(32, 9), random: seededRandom('other') })
    const { db } = service.services
    await db
      .updateTable('webhook_endpoints')
      .set({ secret: other.seal('whsec_a', id), next_secret: other.seal('whsec_b', id) })
      .execute()
    expectRefusal(await read(id), 'secret_unreadable', { message: /SECRET_KEY.*Rotate/ })
    expectRefusal(await rotate(id, { activate: true }), 'secret_unreadable')
    const rotated = (await rotate(id)).json()
    expect(rotated).toEqual({ secret: null, nextSecret: isSecret })
    expect((await rotate(id, { activate: true })).json()).toEqual({ secret: rotated.nextSecret, nextSecret: null })
    expect((await read(id)).json()).toEqual({ secret: rotated.nextSecret, nextSecret: null })
  })

  test('an encrypted secret moved to another endpoint cannot be decrypted there', async () => {
    const [one, other] = [await createEndpoint(shop), await createEndpoint(shop)]
    await sql`update webhook_endpoints set secret = (select secret from webhook_endpoints where id = ${one.id})
      where id = ${other.id}`.execute(service.services.db)
    expectRefusal(await read(other.id), 'secret_unreadable')
  })

  test('neither the store nor the log ever contains a readable secret', async () => {
    const { id, secret } = await createEndpoint(shop, { description: 'in the clear' })
    const { nextSecret } = (await rotate(id)).json()
    await shop.admin.page('POST', `${endpointsUrl}/${id}/test`)
    await read(id)

    const tables = ['webhook_endpoints', 'webhook_events', 'webhook_deliveries']
    const rows = await Promise.all(
      tables.map((table) => sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} as t`.execute(service.services.db)),
    )
    const held = rows.flatMap(({ rows: found }) => found.map(({ row }) => row)).join('\n')
    const logged = lines.join('\n')
    // Verifies the search itself: readable values are found in the same text.
    expect(held).toContain('in the clear')
    expect(held).toContain(id)
    expect(logged).toContain('/app/api/webhook-endpoints/:id/secret')
    for (const form of [secret, nextSecret].flatMap(formsOf)) {
      expect(held).not.toContain(form)
      expect(logged).not.toContain(form)
    }
  })
})

/** The encodings in which a secret, or its key, could appear in a row or a log line. */
function formsOf(secret: string): string[] {
  const [text, key] = [Buffer.from(secret), signingKey(secret).export()]
  const encoded = [text, key].flatMap((bytes) => [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')])
  return [secret, secret.slice('whsec_'.length), ...encoded]
}
