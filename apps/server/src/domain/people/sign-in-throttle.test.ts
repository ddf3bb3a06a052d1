import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../ports/clock.ts'
import { deleteFullSignInBudgets } from '../../store/people/sign-in-budgets.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { openTestStore, ruleKindsOf, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import { type SignInAttempt, waysOf } from './sign-in-keys.ts'
import { type SignInLimit, signInLimits } from './sign-in-limits.ts'
import { makeSignInThrottle } from './sign-in-throttle.ts'
import { signInBudgetSweep } from './sweep-sign-in-budgets.ts'

const minuteMs = 60_000
const wrong = async () => false
const right = async () => true
const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'too_many_requests' }) }
const jane = 'jane@example.com'
/** A stranger at the n-th address. */
const from = (number: number, account = jane): SignInAttempt => ({ account, address: `203.0.113.${number}` })

describe.each(storeKinds)('the sign-in throttle on %s', (kind) => {
  let store: TestStore
  beforeAll(async () => void (store = await openTestStore(kind)))
  afterAll(() => store.close())
  beforeEach(() => sql`truncate sign_in_budgets`.execute(store.db))

  /** Two processes on one store. */
  function start() {
    const clock = manualClock()
    const { db } = store
    return { clock, db, throttle: makeSignInThrottle({ db, clock }), other: makeSignInThrottle({ db, clock }) }
  }
  type Throttle = ReturnType<typeof makeSignInThrottle>
  async function failTimes(count: number, throttle: Throttle, by: SignInAttempt) {
    for (let done = 0; done < count; done++) expect(await throttle.attempt(by, wrong)).toMatchObject({ isRight: false })
  }
  /** Sets up a budget as if this many attempts had failed. */
  async function hold(clock: Clock, by: SignInAttempt, limit: SignInLimit, failures: number) {
    const { key } = waysOf(by).flat().find((draw) => draw.limit === limit)!
    const full_at = new Date(clock.now().getTime() + failures * signInLimits[limit].regainMs)
    await store.db.insertInto('sign_in_budgets').values({ key, full_at }).execute()
  }
  const countRows = async () => (await sql`select from sign_in_budgets`.execute(store.db)).rows.length

  test.each(ruleKindsOf(kind))('allows ten failures from one network on one account across processes, then one a minute', async () => {
    const { clock, throttle, other } = start()
    await failTimes(5, throttle, from(1))
    await failTimes(5, other, from(1))
    for (const each of [throttle, other]) {
      await expect(each.attempt(from(1), right)).rejects.toMatchObject({
        code: 'too_many_requests',
        message: 'Too many failed sign-ins with this e-mail. Try again in 60 seconds.',
        retryAfterMs: minuteMs,
      })
    }
    // Another network, another account, and another spelling of this account.
    expect(await throttle.attempt(from(2), right)).toEqual({ isRight: true, strangerFailures: 0 })
    expect(await throttle.attempt(from(1, 'john@example.com'), right)).toMatchObject({ isRight: true })
    await expect(throttle.attempt(from(1, ' JANE@example.com'), right)).rejects.toThrow('this e-mail')
    await clock.advance(minuteMs - 1)
    await expect(throttle.attempt(from(1), right)).rejects.toThrow('Try again in 1 second.')
    await clock.advance(1)
    expect(await throttle.attempt(from(1), wrong)).toEqual({ isRight: false, strangerFailures: 10 })
    await expect(throttle.attempt(from(1), right)).rejects.toThrow('Try again in 60 seconds.')
  })

  test.each(ruleKindsOf(kind))('thirty failures from many networks slow down strangers on that account, but never its known devices', async () => {
    const { clock, throttle, other } = start()
    await hold(clock, from(1), 'account', 29)
    expect(await throttle.attempt(from(1), wrong)).toEqual({ isRight: false, strangerFailures: 30 })
    await expect(other.attempt(from(99), right)).rejects.toMatchObject({ retryAfterMs: minuteMs, message: /new devices/ })
    expect(await other.attempt({ ...from(1), deviceId: 'laptop' }, right)).toMatchObject({ isRight: true })
    expect(await other.attempt(from(99, 'john@example.com'), right)).toMatchObject({ isRight: true })
    await clock.advance(minuteMs)
    expect(await other.attempt(from(99), right)).toMatchObject({ isRight: true })
  })

  test.each(ruleKindsOf(kind))('a device has its own budget, and is a stranger once it is used up', async () => {
    const { throttle } = start()
    const laptop = { ...from(1), deviceId: 'laptop' }
    for (let done = 0; done < 10; done++) {
      expect(await throttle.attempt(laptop, wrong)).toEqual({ isRight: false, strangerFailures: 0 })
    }
    expect(await throttle.attempt({ ...from(1), deviceId: 'phone' }, right)).toMatchObject({ isRight: true })
    expect(await throttle.attempt(laptop, wrong)).toEqual({ isRight: false, strangerFailures: 1 })
    await failTimes(9, throttle, laptop)
    await expect(throttle.attempt(laptop, right)).rejects.toMatchObject({ retryAfterMs: minuteMs })
  })

  test.each(ruleKindsOf(kind))('a session has ten failures, whatever strangers do', async () => {
    const { clock, throttle } = start()
    await hold(clock, from(1), 'account', 30)
    const session = { sessionId: 'session_1' }
    await failTimes(9, throttle, session)
    expect(await throttle.attempt(session, right)).toMatchObject({ isRight: true })
    await failTimes(10, throttle, session)
    await expect(throttle.attempt(session, right)).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  test.each(ruleKindsOf(kind))('one network has a hundred failures across all accounts, then one every two seconds', async () => {
    const { clock, throttle, other } = start()
    const anyPerson = (number: number) => ({ account: `person-${number}@example.com`, address: `2001:db8:1:2::${number}` })
    await hold(clock, anyPerson(0), 'network', 98)
    for (const number of [1, 2]) await failTimes(1, throttle, anyPerson(number))
    const next = anyPerson(100)
    await expect(other.attempt(next, right)).rejects.toMatchObject({
      message: 'Too many failed sign-ins from your network. Try again in 2 seconds.',
      retryAfterMs: 2000,
    })
    expect(await other.attempt({ ...next, address: '2001:db8:1:3::1' }, right)).toMatchObject({ isRight: true })
    expect(await other.attempt({ ...next, deviceId: 'laptop' }, right)).toMatchObject({ isRight: true })
    await clock.advance(2000)
    expect(await other.attempt(next, right)).toMatchObject({ isRight: true })
  })

  test.each(ruleKindsOf(kind))('a right password refunds its charge and forgives the typing errors before it', async () => {
    const { throttle } = start()
    await failTimes(2, throttle, from(2))
    await failTimes(9, throttle, from(1))
    expect(await throttle.attempt(from(1), right)).toMatchObject({ isRight: true })
    // Only the other network's failures remain on the account.
    expect(await throttle.attempt(from(1), wrong)).toEqual({ isRight: false, strangerFailures: 3 })
  })

  test.each(ruleKindsOf(kind))('verifies at most ten of the guesses that arrive together at two processes', async () => {
    const { throttle, other } = start()
    let looks = 0
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) =>
        (number % 2 === 0 ? throttle : other).attempt(from(1), async () => {
          looks++
          return false
        }),
      ),
    )
    expect(looks).toBe(10)
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual(Array.from({ length: 10 }, () => refused))
  })

  test.each(ruleKindsOf(kind))('lets in all right passwords that arrive together', async () => {
    const { throttle } = start()
    const answers = await Promise.all(Array.from({ length: 12 }, () => throttle.attempt(from(1), right)))
    expect(answers).toEqual(Array.from({ length: 12 }, () => ({ isRight: true, strangerFailures: 0 })))
  })

  test.each(ruleKindsOf(kind))('a known device does not wait behind strangers whose passwords are being verified', async () => {
    const { throttle } = start()
    const { promise: held, resolve: letGo } = Promise.withResolvers<boolean>()
    const strangers = [1, 2, 3].map((number) => throttle.attempt(from(number), () => held))
    expect(await throttle.attempt({ ...from(1), deviceId: 'laptop' }, right)).toMatchObject({ isRight: true })
    expect(await throttle.attempt({ sessionId: 'session_1' }, right)).toMatchObject({ isRight: true })
    letGo(false)
    expect((await Promise.all(strangers)).map(({ isRight }) => isRight)).toEqual([false, false, false])
  })

  test.each(ruleKindsOf(kind))('an error during verification reaches its caller and does not count as an attempt', async () => {
    const { throttle } = start()
    for (let count = 0; count < 12; count++) {
      const attempt = throttle.attempt(from(1), () => Promise.reject(new Error('out of memory')))
      await expect(attempt).rejects.toThrow('out of memory')
    }
    expect(await throttle.attempt(from(1), right)).toMatchObject({ isRight: true })
  })

  test('rejected attempts store nothing, and full budgets are swept', async () => {
    const { clock, db, throttle } = start()
    await failTimes(10, throttle, from(1))
    expect(await countRows()).toBe(3)
    await expect(throttle.attempt(from(1), wrong)).rejects.toThrow('Too many')
    expect(await countRows()).toBe(3)

    await clock.advance(10 * minuteMs - 1)
    await signInBudgetSweep({ db, clock }).removeBatch()
    expect(await countRows()).toBe(2)
    await clock.advance(1)
    expect(await deleteFullSignInBudgets(db, { now: clock.now(), portion: 1 })).toBe(1)
    await signInBudgetSweep({ db, clock }).removeBatch()
    expect(await countRows()).toBe(0)
    expect(await throttle.attempt(from(1), right)).toMatchObject({ isRight: true })
  })
})
