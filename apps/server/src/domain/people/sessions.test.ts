import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../store/db.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore, ruleKindsOf, storeKinds } from '../../../testing/store/test-store.ts'
import type { Refusal } from '../refusal.ts'
import { deleteExpiredSessions, makeSessionReader, signOut } from './sessions.ts'
import { testMembers, testPassword } from '../../../testing/people/members.ts'
import { signInAtOnce as signIn, testSignInDeps } from '../../../testing/people/sign-in.ts'

const dayMs = 24 * 60 * 60_000
const random = seededRandom('sessions')

describe.each(storeKinds)('sessions in %s', (kind) => {
  let store: Store
  beforeAll(async () => void (store = await openTestStore(kind)))
  afterAll(() => store.close())

  function start() {
    const clock = manualClock()
    const deps = testSignInDeps(store, { clock, random })
    return { clock, deps, people: testMembers(deps), sessionCaller: makeSessionReader({ ...deps, lastSeen: { note: () => {} } }) }
  }

  test.each(ruleKindsOf(kind))('signing in opens a session for 30 days, regardless of the case of the e-mail', async () => {
    const { clock, deps, people, sessionCaller } = start()
    const jane = await people.member(await people.organization(), {
      email: 'Jane.Doe@Example.com',
      role: 'admin',
      password: testPassword,
    })
    const session = await signIn(deps, { email: ' jane.DOE@example.com ', password: testPassword })

    const caller = { organizationId: jane.organizationId, userId: jane.userId, role: 'admin', triggerId: jane.userId }
    expect(session).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: new Date(clock.now().getTime() + 30 * dayMs),
      caller,
      passwordStamp: expect.stringMatching(/^[\w-]{22}$/),
    })
    expect(await sessionCaller(session.token)).toEqual(caller)
    await clock.advance(30 * dayMs - 1)
    expect(await sessionCaller(session.token)).toEqual(caller)
    await clock.advance(1)
    expect(await sessionCaller(session.token)).toBeUndefined()
  })

  test.each(ruleKindsOf(kind))('rejects a wrong password and an unknown e-mail with the same message', async () => {
    const { deps, people } = start()
    const jane = await people.member(await people.organization(), { password: testPassword })
    const refusals = await Promise.all(
      [
        { email: jane.email, password: 'correct horse battery stable' },
        { email: 'nobody@example.com', password: testPassword },
        { email: `${jane.email}\0`, password: testPassword },
        { email: '', password: '' },
        { email: 'x'.repeat(100_000), password: 'y'.repeat(100_000) },
        { email: '%', password: testPassword },
      ].map((input) => signIn(deps, input).catch((error: unknown) => error)),
    )
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        name: 'Refusal',
        code: 'unauthenticated',
        message: 'The e-mail or the password is wrong. Check both and try again.',
      })
    }
  })

  test('limits failures for known and unknown e-mails alike, for a minute', async () => {
    const { clock, deps, people } = start()
    const jane = await people.member(await people.organization(), { password: testPassword })
    const refusals: unknown[] = []
    for (const email of [jane.email, 'invented@example.com']) {
      for (let count = 0; count < 9; count++) await deps.throttle.attempt({ account: email, address: null }, async () => false)
      await expect(signIn(deps, { email, password: 'wrong' })).rejects.toMatchObject({ code: 'unauthenticated' })
      const attempt = signIn(deps, { email, password: testPassword })
      refusals.push(await attempt.catch(({ code, message, retryAfterMs }: Refusal) => ({ code, message, retryAfterMs })))
    }
    expect(refusals[0]).toMatchObject({ code: 'too_many_requests', retryAfterMs: 60_000 })
    expect(refusals[1]).toEqual(refusals[0])
    await clock.advance(60_000)
    const { caller } = await signIn(deps, { email: jane.email, password: testPassword })
    expect(caller.userId).toBe(jane.userId)
  })

  test.each(ruleKindsOf(kind))('a member of several organizations is signed in to the one joined first', async () => {
    const { clock, deps, people } = start()
    // Ids are random, so with several organizations no order other than that of joining gives the first one by accident.
    const organizationIds: string[] = []
    for (let count = 0; count < 8; count++) organizationIds.push(await people.organization())
    const oldest = organizationIds[4]!
    const jane = await people.member(oldest, { password: testPassword })
    await clock.advance(1)
    for (const id of organizationIds) if (id !== oldest) await people.join(id, jane.userId, 'admin')

    const { caller } = await signIn(deps, { email: jane.email, password: testPassword })
    expect(caller).toMatchObject({ organizationId: oldest, role: 'member' })
  })

  test.each(ruleKindsOf(kind))('a removed member is signed out at once and cannot sign in, and other sessions stay', async () => {
    const { deps, people, sessionCaller } = start()
    const organizationId = await people.organization()
    const jane = await people.member(organizationId, { password: testPassword })
    const john = await people.member(organizationId, { password: testPassword })
    const janes = await signIn(deps, { email: jane.email, password: testPassword })
    const johns = await signIn(deps, { email: john.email, password: testPassword })

    await people.remove(jane)

    expect(await Promise.all([janes.token, johns.token].map(sessionCaller))).toEqual([undefined, johns.caller])
    await expect(signIn(deps, { email: jane.email, password: testPassword })).rejects.toMatchObject({ code: 'forbidden' })
    await people.join(organizationId, jane.userId)
    expect(await sessionCaller(janes.token)).toBeUndefined()
  })

  test('a changed role applies from the next request', async () => {
    const { deps, people, sessionCaller } = start()
    const jane = await people.member(await people.organization(), { role: 'admin', password: testPassword })
    const { token } = await signIn(deps, { email: jane.email, password: testPassword })
    await store.db.updateTable('memberships').set({ role: 'member' }).where('user_id', '=', jane.userId).execute()
    expect(await sessionCaller(token)).toMatchObject({ userId: jane.userId, role: 'member' })
  })

  test.each(ruleKindsOf(kind))('signing out ends only that session', async () => {
    const { deps, people, sessionCaller } = start()
    const jane = await people.member(await people.organization(), { password: testPassword })
    const [one, other] = await Promise.all(
      Array.from({ length: 2 }, () => signIn(deps, { email: jane.email, password: testPassword })),
    )
    await signOut(deps, one!.token)
    await signOut(deps, one!.token)
    await signOut(deps, 'never a token \0')
    expect(await Promise.all([one!.token, other!.token].map(sessionCaller))).toEqual([undefined, other!.caller])
  })

  test.each(ruleKindsOf(kind))('many sessions looked up at once each get their own caller', async () => {
    const { deps, people, sessionCaller } = start()
    const members = await Promise.all(
      Array.from({ length: 3 }, async () => people.member(await people.organization(), { password: testPassword })),
    )
    const tokens: string[] = []
    for (const { email } of members) tokens.push((await signIn(deps, { email, password: testPassword })).token)
    const asked = Array.from({ length: 60 }, (_, index) => index % 4)
    const callers = await Promise.all(asked.map((index) => sessionCaller(tokens[index] ?? 'A'.repeat(43))))
    expect(callers.map((caller) => caller?.userId)).toEqual(asked.map((index) => members[index]?.userId))
  })

  const noTokens = ['', 'short', `${'A'.repeat(42)}\0`, 'A'.repeat(44)]
  test.each(noTokens)('does not look up malformed tokens: %j', async (token) => {
    const { deps } = start()
    const db = new Proxy(deps.db, {
      get() {
        throw new Error('the database was queried')
      },
    })
    expect(await makeSessionReader({ ...deps, db, lastSeen: { note: () => {} } })(token)).toBeUndefined()
  })

  test('deletes expired sessions and keeps others', async () => {
    const { clock, deps, people, sessionCaller } = start()
    await store.db.deleteFrom('sessions').execute()
    const jane = await people.member(await people.organization(), { password: testPassword })
    await signIn(deps, { email: jane.email, password: testPassword })
    await clock.advance(1)
    const later = await signIn(deps, { email: jane.email, password: testPassword })

    expect(await deleteExpiredSessions(deps)).toBe(0)
    await clock.advance(30 * dayMs - 1)
    expect(await deleteExpiredSessions(deps)).toBe(1)
    expect(await sessionCaller(later.token)).toEqual(later.caller)
  })
})
