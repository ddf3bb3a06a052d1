import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { NameError, type PostFailure } from '../../../ports/network/network.ts'
import { fakeNetwork } from '../../../../testing/fake-network.ts'
import { manualClock } from '../../../../testing/manual-clock.ts'
import { seededRandom } from '../../../../testing/seeded-random.ts'
import { silentLog } from '../../../../testing/silent-log.ts'
import { makeSealer } from '../../sealing.ts'
import { newSecret } from '../secret.ts'
import { makeAttempts } from './attempt.ts'
import type { ClaimedDelivery } from '../../../model/claimed-delivery.ts'

const secret = newSecret(seededRandom('secret'))
const url = 'https://hooks.example/in?x=1'
const body = '{"id":"evt_1","data":{"summary":"Umsatz +3 % – „schön“ 🎉"}}'
const now = '2026-11-15T09:00:00.000Z'

function start() {
  const clock = manualClock(now)
  const network = fakeNetwork()
  const sealer = makeSealer({ secretKey: Buffer.alloc(32, 1), random: seededRandom('seal') })
  const addressRules = { ownUrl: new URL('https://querypost.test'), allowedNetworks: [] }
  const makeAttempt = makeAttempts({ clock, log: silentLog, network, sealer, addressRules })
  const delivery: ClaimedDelivery = {
    id: 'dlv_1',
    leaseNumber: 1,
    orderKey: null,
    attemptNumber: 3,
    eventId: 'evt_1',
    body,
    endpointId: 'we_1',
    organizationId: 'org_1',
    url,
    secret: sealer.seal(secret, 'we_1'),
  }
  const interruption = new AbortController()
  const attempt = (changed: Partial<ClaimedDelivery> = {}) => makeAttempt({ ...delivery, ...changed }, interruption.signal)
  return { clock, network, sealer, attempt, interruption }
}

describe('a request', () => {
  test('sends the body unchanged, with both families of headers', async () => {
    const { attempt, network } = start()
    await attempt()
    const { headers, ...rest } = network.requests[0]!
    expect(rest).toEqual({ url, addresses: ['93.184.216.34'], body })
    const timestamp = String(Date.parse(now) / 1000)
    const digest = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(`evt_1.${timestamp}.${body}`)
    const bytes = digest.digest()
    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Querypost-Webhooks/1',
      'accept-encoding': 'identity',
      'svc-webhook-id': 'evt_1',
      'svc-webhook-timestamp': timestamp,
      'svc-webhook-signature': `v1=${bytes.toString('hex')}`,
      'webhook-id': 'evt_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${bytes.toString('base64')}`,
    })
  })

  test('is signed again for every attempt', async () => {
    const { attempt, network, clock } = start()
    await attempt()
    await clock.advance(30_000)
    await attempt()
    const [first, second] = network.requests
    expect(second!.body).toBe(first!.body)
    expect(second!.headers['svc-webhook-id']).toBe(first!.headers['svc-webhook-id'])
    expect(Number(second!.headers['svc-webhook-timestamp'])).toBe(Number(first!.headers['svc-webhook-timestamp']) + 30)
    expect(second!.headers['svc-webhook-signature']).not.toBe(first!.headers['svc-webhook-signature'])
  })

  test("is signed with the endpoint's current secret", async () => {
    const { attempt, network, sealer } = start()
    const rotated = newSecret(seededRandom('another'))
    await attempt()
    await attempt({ secret: sealer.seal(rotated, 'we_1') })
    const verify = (index: number, with_: string) => {
      const { headers, body } = network.requests[index]!
      const mac = createHmac('sha256', Buffer.from(with_.slice(6), 'base64'))
      return headers['svc-webhook-signature'] === `v1=${mac.update(`evt_1.${headers['webhook-timestamp']}.${body}`).digest('hex')}`
    }
    expect([verify(0, secret), verify(0, rotated), verify(1, secret), verify(1, rotated)]).toEqual([true, false, false, true])
  })

  test('is accepted by the Standard Webhooks library', async () => {
    const { attempt, network, clock } = start()
    clock.leap(Date.now() - clock.now().getTime())
    await attempt()
    const { headers, body: sent } = network.requests[0]!
    expect(new Webhook(secret).verify(sent, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(secret).verify(`${sent} `, headers)).toThrow(/signature/i)
  })
})

describe('the outcome', () => {
  test('has no failure for any 2xx', async () => {
    const { attempt, network } = start()
    network.answer(url, { status: 204, body: 'thanks' })
    expect(await attempt()).toEqual({
      number: 3,
      at: now,
      durationMs: 0,
      phases: { dnsMs: 0, connectMs: null, tlsMs: null, responseMs: null, bodyMs: null },
      signed: {
        timestamp: String(Date.parse(now) / 1000),
        signature: network.requests[0]!.headers['svc-webhook-signature'],
      },
      address: '93.184.216.34',
      status: 204,
      response: 'thanks',
      failure: null,
    })
  })

  test.each([
    [199, 'The endpoint responded with 199.'],
    [301, 'The endpoint responded with 301. Redirects are not followed; use the final URL.'],
    [308, 'The endpoint responded with 308. Redirects are not followed; use the final URL.'],
    [410, 'The endpoint responded with 410.'],
    [503, 'The endpoint responded with 503.'],
  ])('status %i is a failure', async (status, message) => {
    const { attempt, network } = start()
    network.answer(url, { status })
    expect(await attempt()).toMatchObject({ status, failure: { kind: 'status_not_2xx', message } })
  })

  test.each<[PostFailure, string, RegExp]>([
    [{ kind: 'connection_failed' }, 'connection_failed', /Could not connect/],
    [{ kind: 'response_broken' }, 'response_broken', /before the response was complete/],
    [{ kind: 'tls_failed', detail: 'CERT_HAS_EXPIRED' }, 'tls_failed', /certificate has expired \(CERT_HAS_EXPIRED\)/],
    [{ kind: 'tls_failed', detail: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'tls_failed', /TLS handshake failed .*WRONG_VERSION/],
  ])('reports %o', async (failure, kind, message) => {
    const { attempt, network } = start()
    network.answer(url, { failure })
    expect(await attempt()).toMatchObject({
      status: null,
      failure: { kind, message: expect.stringMatching(message) as string },
    })
  })

  test('reports phases in tenths of milliseconds, and null for phases that did not happen', async () => {
    const { attempt, network } = start()
    const post = network.post
    const phases = { connectMs: null, tlsMs: 4.618235000001732, responseMs: 12.04, bodyMs: 0 }
    network.post = async (request) => ({ ...(await post(request)), phases })
    expect((await attempt())!.phases).toEqual({ dnsMs: 0, connectMs: null, tlsMs: 4.6, responseMs: 12, bodyMs: 0 })
  })

  test('replaces text that PostgreSQL cannot store, and characters cut in half', async () => {
    const { attempt, network } = start()
    network.answer(url, { body: `a\0b${'é'.repeat(2047)}é` })
    const response = (await attempt())!.response
    expect(response.startsWith('a\uFFFDb')).toBe(true)
    expect(response).not.toContain('\0')
    expect(response.isWellFormed()).toBe(true)
  })
})

describe('the address is checked at every attempt', () => {
  test('a name that now resolves to an internal address is not dialed', async () => {
    const { attempt, network } = start()
    expect((await attempt())!.failure).toBeNull()
    network.name('hooks.example', ['93.184.216.34', '10.0.0.7'])
    expect(await attempt()).toMatchObject({
      address: null,
      signed: null,
      failure: { kind: 'address_refused', message: expect.stringMatching(/not publicly routable.*10\.0\.0\.0\/8/) as string },
    })
    expect(network.requests).toHaveLength(1)
  })

  test.each(['http://hooks.example/', 'https://127.0.0.1/', 'https://querypost.test/x'])('%s is not dialed', async (bad) => {
    const { attempt, network } = start()
    expect((await attempt({ url: bad }))!.failure!.kind).toBe('address_refused')
    expect(network.requests).toEqual([])
  })

  test('distinguishes a name that does not exist from one that could not be resolved', async () => {
    const { attempt, network } = start()
    network.name('hooks.example', new NameError('gone', true))
    const gone = (await attempt())!.failure!
    network.name('hooks.example', new NameError('server failed', false))
    const failed = (await attempt())!.failure!
    expect([gone.kind, failed.kind]).toEqual(['name_not_resolved', 'name_not_resolved'])
    expect(gone.message).not.toBe(failed.message)
  })
})

describe('time', () => {
  /** A receiver that never answers: only the signal ends it. */
  const hang = ({ signal }: { signal: AbortSignal }) =>
    new Promise<{ failure: PostFailure }>((resolve) => {
      const end = () => resolve({ failure: { kind: 'aborted' } })
      if (signal.aborted) end()
      signal.addEventListener('abort', end)
    })

  test('fails after ten seconds', async () => {
    const { attempt, network, clock } = start()
    network.answer(url, hang)
    const ended = attempt()
    await clock.advance(9_999)
    expect(await Promise.race([ended, Promise.resolve('still waiting')])).toBe('still waiting')
    await clock.advance(1)
    expect(await ended).toMatchObject({ status: null, durationMs: 10_000, failure: { kind: 'deadline_passed' } })
    expect(clock.sleepers()).toBe(0)
  })

  test('includes name resolution in the deadline', async () => {
    const { attempt, network, clock } = start()
    network.resolve = (_hostname, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new NameError('too late', false)))
      })
    const ended = attempt()
    await clock.advance(10_000)
    expect((await ended)!.failure!.kind).toBe('deadline_passed')
  })

  test.each([0, 5_000])('an attempt interrupted after %i ms does not count', async (ms) => {
    const { attempt, network, clock, interruption } = start()
    network.answer(url, hang)
    const ended = attempt()
    await clock.advance(ms)
    interruption.abort()
    expect(await ended).toBeNull()
    expect(clock.sleepers()).toBe(0)
  })
})

test('sends nothing after the machine was suspended during name resolution, because the lease may have expired', async () => {
  const { attempt, network, clock } = start()
  network.resolve = async () => {
    clock.leap(60_000)
    return ['93.184.216.34']
  }
  expect(await attempt()).toBeNull()
  expect(network.requests).toEqual([])
  expect(clock.sleepers()).toBe(0)
})

describe('internal errors', () => {
  test('a secret that cannot be decrypted fails the attempt and says what to do', async () => {
    const { attempt, network, sealer } = start()
    const failed = await attempt({ secret: sealer.seal(secret, 'we_2') })
    expect(failed!.failure).toMatchObject({ kind: 'secret_unreadable', message: expect.stringContaining('SECRET_KEY') as string })
    expect(network.requests).toEqual([])
  })

  test('any other error counts as a failed attempt, so that no delivery is retried forever', async () => {
    const { attempt, network } = start()
    network.post = () => Promise.reject(new Error('a bug'))
    expect((await attempt())!.failure!.kind).toBe('internal_error')
  })
})
