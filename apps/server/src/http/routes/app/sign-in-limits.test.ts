import { randomUUID } from 'node:crypto'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../build-app.ts'
import { type SignInLimit, signInLimits } from '../../../domain/people/sign-in-limits.ts'
import { waysOf } from '../../../domain/people/sign-in-keys.ts'
import { makeSignInThrottle } from '../../../domain/people/sign-in-throttle.ts'
import { makeMetrics } from '../../../domain/metrics.ts'
import { silentLog } from '../../../../testing/silent-log.ts'
import {
  startTestService,
  type TestOrganization,
  testPassword,
  type TestPerson,
  type TestService,
} from '../../../../testing/test-service.ts'
import { type Cookies, newPassword, signedInBy } from '../../../../testing/http/people.ts'
import { expectRefusal } from '../../../../testing/http/requests.ts'

let service: TestService
let shop: TestOrganization
/** Another process on the same store, behind a proxy on this machine. */
let behindProxy: FastifyInstance

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  const { services } = service
  behindProxy = await buildApp({
    services: { ...services, throttle: makeSignInThrottle(services) },
    queryApi: { state: 'active', sunset: null },
    metrics: makeMetrics(),
    logger: silentLog,
    trustProxy: ['127.0.0.1/32'],
  })
})
afterAll(async () => {
  await behindProxy.close()
  await service.stop()
})

interface From {
  address?: string
  cookies?: Cookies
  forwardedFor?: string
  app?: FastifyInstance
}

const signIn = (email: string, password: string, from: From = {}): Promise<LightMyRequestResponse> =>
  (from.app ?? service.app).inject({
    method: 'POST',
    url: '/app/api/session',
    payload: { email, password },
    remoteAddress: from.address ?? '127.0.0.1',
    cookies: from.cookies ?? {},
    headers: from.forwardedFor === undefined ? {} : { 'x-forwarded-for': from.forwardedFor },
  })

let count = 0
/** A new user who has signed in from a laptop. */
async function newPerson(): Promise<TestPerson & { laptop: Cookies }> {
  const person = await shop.addPerson('member', `person-${(count += 1)}@shop.test`)
  return { ...person, laptop: { querypost_device: person.session['querypost_device']! } }
}

/** Records this many failures of strangers on the account. */
async function spend(email: string, limit: SignInLimit, failures: number, address = '203.0.113.1') {
  const { key } = waysOf({ account: email, address }).flat().find((draw) => draw.limit === limit)!
  const full_at = new Date(service.clock.now().getTime() + failures * signInLimits[limit].regainMs)
  const { db } = service.services
  await db.insertInto('sign_in_budgets').values({ key, full_at }).onConflict((row) => row.column('key').doUpdateSet({ full_at })).execute()
}

function expectSlowedDown(answer: LightMyRequestResponse, seconds = 60) {
  expectRefusal(answer, 'too_many_requests')
  expect(answer.headers['retry-after']).toBe(String(seconds))
  expect(answer.cookies).toEqual([])
}

describe('strangers cannot lock out a user', () => {
  test('over 500 failures for made-up e-mails block no one, on a known or a new device', async () => {
    const person = await newPerson()
    const { db, throttle } = service.services
    // From six networks, each within its budget. Inserted directly, because each failure takes milliseconds.
    const draws = Array.from({ length: 594 }, (_, number) =>
      waysOf({ account: `${randomUUID()}@invented.test`, address: `198.51.100.${number % 6}` })[0]!,
    ).flat()
    const failures = Map.groupBy(draws, ({ key }) => key)
    const rows = [...failures].map(([key, [draw, ...others]]) => {
      const heldMs = (1 + others.length) * signInLimits[draw!.limit].regainMs
      return { key, full_at: new Date(service.clock.now().getTime() + heldMs) }
    })
    await db.insertInto('sign_in_budgets').values(rows).execute()
    for (let number = 0; number < 20; number++) {
      const by = { account: `${randomUUID()}@invented.test`, address: `198.51.100.${100 + number}` }
      expect(await throttle.attempt(by, async () => false)).toEqual({ isRight: false, strangerFailures: 1 })
    }
    signedInBy(await signIn(person.email, testPassword, { address: '198.51.100.99' }))
    signedInBy(await signIn(person.email, testPassword, { address: '198.51.100.1' }))
    signedInBy(await signIn(person.email, testPassword, { cookies: person.laptop }))
  })

  test('a network that has used up its budget blocks its new devices for two seconds, and known ones never', async () => {
    const person = await newPerson()
    const address = '2001:db8:7:7::1'
    await spend(person.email, 'network', 100, address)
    expectSlowedDown(await signIn(person.email, testPassword, { address: '2001:db8:7:7:ffff::2' }), 2)
    signedInBy(await signIn(person.email, testPassword, { address, cookies: person.laptop }))
    signedInBy(await signIn(person.email, testPassword, { address: '2001:db8:7:8::1' }))
  })

  test('many failures on an account never block the right password from a known device', async () => {
    const person = await newPerson()
    for (let number = 0; number < 12; number++) {
      expectRefusal(await signIn(person.email, 'a wrong guess', { address: `203.0.113.${number}` }), 'unauthenticated')
    }
    await spend(person.email, 'account', 30)
    signedInBy(await signIn(person.email, testPassword, { cookies: person.laptop }))
    signedInBy(await signIn(person.email, testPassword, { cookies: person.laptop, address: '203.0.113.1', app: behindProxy }))
  })
})

describe('a new device', () => {
  test('is throttled on an account under attack, with Retry-After, for at most a minute', async () => {
    const person = await newPerson()
    await spend(person.email, 'account', 30)
    expectSlowedDown(await signIn(person.email, testPassword, { address: '203.0.113.50' }))
    // In every process.
    expectSlowedDown(await signIn(person.email, testPassword, { address: '203.0.113.50', app: behindProxy }))
    service.clock.leap(60_000)
    signedInBy(await signIn(person.email, testPassword, { address: '203.0.113.50' }))
  })

  test('ten failures from one network, across two processes, throttle only this network on this account', async () => {
    const person = await newPerson()
    for (let number = 0; number < 10; number++) {
      const app = number % 2 === 0 ? service.app : behindProxy
      expectRefusal(await signIn(person.email, 'a wrong guess', { address: '203.0.113.60', app }), 'unauthenticated')
    }
    for (const app of [service.app, behindProxy]) {
      expectSlowedDown(await signIn(person.email, testPassword, { address: '203.0.113.60', app }))
    }
    signedInBy(await signIn(person.email, testPassword, { address: '203.0.113.61' }))
  })

  test('a made-up e-mail is limited like a real one, with the same message', async () => {
    const person = await newPerson()
    const invented = `${randomUUID()}@invented.test`
    const refusals: unknown[] = []
    for (const email of [person.email, invented]) {
      await spend(email, 'account', 30)
      const answer = await signIn(email, testPassword, { address: '203.0.113.70' })
      expectSlowedDown(answer)
      refusals.push(answer.json())
    }
    expect(refusals[0]).toEqual(refusals[1])
  })
})

describe('X-Forwarded-For', () => {
  test('is ignored from an untrusted peer: changing it does not evade the limits', async () => {
    const person = await newPerson()
    const guess = (number: number, app: FastifyInstance, address: string) =>
      signIn(person.email, 'a wrong guess', { address, app, forwardedFor: `192.0.2.${number}` })
    for (let number = 0; number < 10; number++) {
      expectRefusal(await guess(number, number % 2 ? service.app : behindProxy, '203.0.113.80'), 'unauthenticated')
    }
    expectSlowedDown(await guess(10, service.app, '203.0.113.80'))
    expectSlowedDown(await guess(11, behindProxy, '203.0.113.80'))
  })

  test('from a trusted proxy distinguishes clients by its last address', async () => {
    const person = await newPerson()
    const through = (forwardedFor: string, password: string) =>
      signIn(person.email, password, { app: behindProxy, forwardedFor })
    await spend(person.email, 'networkOnAccount', 10, '192.0.2.1')
    expectSlowedDown(await through('192.0.2.1', testPassword))
    expectSlowedDown(await through('192.0.2.2, 192.0.2.1', testPassword))
    service.clock.leap(1)
    signedInBy(await through('192.0.2.1, 192.0.2.2', testPassword))
    const { items } = (await shop.admin.page('GET', '/app/api/audit-log?limit=1')).json()
    expect(items[0]).toMatchObject({ action: 'session.started', address: '192.0.2.2' })
  })
})

describe('a device cookie is ignored', () => {
  /** Whether a browser with these cookies can sign in while its account is under attack. */
  async function isKnown(email: string, cookies: Cookies, password = testPassword) {
    await spend(email, 'account', 30)
    const answer = await signIn(email, password, { cookies, address: '203.0.113.90' })
    if (answer.statusCode !== 204) expectSlowedDown(answer)
    return answer.statusCode === 204
  }

  test('if it is forged or belongs to another account', async () => {
    const [jane, john] = [await newPerson(), await newPerson()]
    const cookie = jane.laptop['querypost_device']!
    expect(await isKnown(jane.email, jane.laptop)).toBe(true)
    expect(await isKnown(jane.email, {})).toBe(false)
    expect(await isKnown(jane.email, john.laptop)).toBe(false)
    expect(await isKnown(jane.email, { querypost_device: `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}` })).toBe(false)
    expect(await isKnown(jane.email, { querypost_device: 'nonsense' })).toBe(false)
  })

  test('after the password was changed, except on the device that changed it', async () => {
    const person = await newPerson()
    const phone = signedInBy(await signIn(person.email, testPassword))
    const changed = await person.page('POST', '/app/api/account/password', { currentPassword: testPassword, newPassword })
    expect([changed.statusCode, changed.cookies.map(({ name }) => name)]).toEqual([204, ['querypost_device']])
    expect(await isKnown(person.email, phone, newPassword)).toBe(false)
    expect(await isKnown(person.email, person.laptop, newPassword)).toBe(false)
    expect(await isKnown(person.email, { querypost_device: changed.cookies[0]!.value }, newPassword)).toBe(true)
  })

  test('after ten wrong passwords from the device itself', async () => {
    const person = await newPerson()
    for (let number = 0; number < 10; number++) {
      const answer = await signIn(person.email, 'a wrong guess', { cookies: person.laptop, address: '203.0.113.91' })
      expectRefusal(answer, 'unauthenticated')
    }
    expect(await isKnown(person.email, person.laptop)).toBe(false)
    service.clock.leap(60_000)
    expect(await isKnown(person.email, person.laptop)).toBe(true)
  })
})

test('a shared browser is a known device for both of its users', async () => {
  const [jane, john] = [await newPerson(), await newPerson()]
  const shared = signedInBy(await signIn(john.email, testPassword, { cookies: jane.laptop }))
  for (const { email } of [jane, john]) {
    await spend(email, 'account', 30)
    const answer = await signIn(email, testPassword, { cookies: { querypost_device: shared['querypost_device']! } })
    expect(answer.statusCode).toBe(204)
  }
})

describe('the notice of many failed sign-ins', () => {
  const noticesOf = async (person: TestPerson) => {
    await service.services.pendingJobs.settled()
    const { items } = (await person.page('GET', '/app/api/notifications')).json<{ items: { kind: string }[] }>()
    return items.filter(({ kind }) => kind === 'sign_ins_failing')
  }
  const guess = (person: TestPerson, number: number) =>
    signIn(person.email, 'a wrong guess', { address: `203.0.113.${number}` })

  test('is sent at the tenth failure of strangers, once a day, and says what to do', async () => {
    const person = await newPerson()
    await spend(person.email, 'account', 8)
    await guess(person, 1)
    expect(await noticesOf(person)).toEqual([])
    for (let number = 2; number < 6; number++) await guess(person, number)
    const [notice, ...others] = await noticesOf(person)
    expect(others).toEqual([])
    expect(notice).toMatchObject({
      link: '/account',
      message: expect.stringMatching(/^Someone entered a wrong password.*They did not get in.*If not, make sure/s),
    })
    const { db } = service.services
    const row = db.selectFrom('notifications').select('email_state').where('user_id', '=', person.caller.userId)
    expect(await row.execute()).toEqual([{ email_state: 'due' }])

    service.clock.leap(24 * 3600_000)
    await spend(person.email, 'account', 20)
    await guess(person, 6)
    expect(await noticesOf(person)).toHaveLength(2)
  })

  test('is not sent for failures of a known device', async () => {
    const person = await newPerson()
    for (let number = 0; number < 10; number++) {
      await signIn(person.email, 'a wrong guess', { cookies: person.laptop })
    }
    expect(await noticesOf(person)).toEqual([])
  })
})
