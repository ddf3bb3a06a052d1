import { systemClock } from '../../ports/clock.ts'
import { makeFindMember } from '../../store/people/find-member.ts'
import { recordKeyUse } from '../../store/people/record-key-use.ts'
import { deleteSessionsOf } from '../../store/people/sessions-table.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { openPostgres, type Store } from '../../store/db.ts'
import { cheapCost } from '../../../testing/cheap-hash.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { emptyTables } from '../../../testing/store/empty-tables.ts'
import { openTestStore, ruleKindsOf, storeKinds } from '../../../testing/store/test-store.ts'
import { apiKeyPattern, listApiKeys } from './api-keys.ts'
import { bootstrapPeople } from './bootstrap.ts'
import { makeKeyAuthenticator } from './key-authenticator.ts'
import { whoAmI } from './organizations.ts'
import { testPassword } from '../../../testing/people/members.ts'
import { opened, signInAtOnce, testSignInDeps } from '../../../testing/people/sign-in.ts'
import { untilWaiting } from '../../../testing/people/until-waiting.ts'
import { isToken } from './tokens.ts'
import { finishWelcome, renewWelcome } from './welcome.ts'

const clock = manualClock()
const random = seededRandom('bootstrap')
const givenKey = `qp_live_${'Ab1'.repeat(12)}`

const oneOfEach = { organizations: 1, users: 1, memberships: 1, api_keys: 1 }
const nothing = { organizations: 0, users: 0, memberships: 0, api_keys: 0 }

const depsOf = ({ db }: Store) => ({ db, clock, random, passwordCost: cheapCost })
const openers = (store: Store) => ({
  authenticateKey: makeKeyAuthenticator({ db: store.db, lastUsed: { note: () => {} } }),
  enter: (input: { email: string; password: string }) =>
    signInAtOnce(testSignInDeps(store, { clock, random }), input),
})

describe.each(storeKinds)('the first start on %s', (kind) => {
  let store: Store & { url?: string }
  beforeAll(async () => void (store = await openTestStore(kind)))
  afterAll(() => store.close())
  beforeEach(() => emptyTables(store.db, ['organizations', 'users']))

  async function countRows() {
    const { rows } = await sql<Record<string, number>>`
      select (select count(*) from organizations)::int as organizations, (select count(*) from users)::int as users,
        (select count(*) from memberships)::int as memberships, (select count(*) from api_keys)::int as api_keys
    `.execute(store.db)
    return rows[0]
  }
  /** Releases the lock only when every start is waiting, because otherwise they might run one after the other by chance. */
  const whileNobodyCanWrite = <Answer>(start: () => Promise<Answer>[]) =>
    store.db.transaction().execute(async (tx) => {
      await sql`lock table organizations in exclusive mode`.execute(tx)
      const starts = start()
      await untilWaiting(store.db, starts.length)
      return starts
    })

  test.each(ruleKindsOf(kind))('creates an admin whose generated password and key work', async () => {
    const made = (await bootstrapPeople(depsOf(store), { email: 'admin@localhost' }))!
    expect(made).toMatchObject({ email: 'admin@localhost', generated: { password: true, apiKey: true } })
    expect(isToken(made.welcomeToken!)).toBe(true)
    expect(made.apiKey).toMatch(apiKeyPattern)

    const { authenticateKey, enter } = openers(store)
    expect((await enter(made)).caller).toEqual(made.caller)
    expect(await authenticateKey(made.apiKey)).toMatchObject({
      caller: { organizationId: made.caller.organizationId, userId: made.caller.userId, role: 'admin' },
      keyName: 'Bootstrap key',
    })
    expect(await whoAmI({ findMember: makeFindMember(store) }, made.caller)).toMatchObject({ organization: { name: 'My organization' }, role: 'admin' })
    expect(await listApiKeys(store, made.caller)).toHaveLength(1)
  })

  test.each(ruleKindsOf(kind))('uses the given values', async () => {
    const given = { email: 'Jane@example.com', password: testPassword, apiKey: givenKey }
    const made = (await bootstrapPeople(depsOf(store), { ...given, organizationName: 'Acme' }))!
    expect(made).toMatchObject({ ...given, generated: { password: false, apiKey: false }, welcomeToken: null })

    const { authenticateKey, enter } = openers(store)
    expect((await enter(given)).caller).toEqual(made.caller)
    expect(await authenticateKey(givenKey)).toMatchObject({ keyName: 'Bootstrap key' })
    expect(await whoAmI({ findMember: makeFindMember(store) }, made.caller)).toMatchObject({ organization: { name: 'Acme' } })
  })

  test.each(ruleKindsOf(kind))('happens only once', async () => {
    await bootstrapPeople(depsOf(store), { email: 'admin@localhost' })
    expect(await bootstrapPeople(depsOf(store), { email: 'other@localhost', password: testPassword })).toBeUndefined()
    expect(await countRows()).toEqual(oneOfEach)
  })

  test('happens only once for processes that start together', async () => {
    const { url } = store
    const others = url
      ? await Promise.all(Array.from({ length: 4 }, () => openPostgres({ url, maxConnections: 2, clock: systemClock, log: silentLog })))
      : []
    const stores = [...others, store, store]
    const startAll = () =>
      stores.map((started, index) => bootstrapPeople(depsOf(started), { email: `admin-${index}@localhost` }))
    const answers = await Promise.all(url ? await whileNobodyCanWrite(startAll) : startAll())
    await Promise.all(others.map((other) => other.close()))

    const made = answers.filter((answer) => answer !== undefined)
    expect(made).toHaveLength(1)
    expect(await countRows()).toEqual(oneOfEach)
    const { authenticateKey, enter } = openers(store)
    expect((await enter(made[0]!)).caller).toEqual(made[0]!.caller)
    expect(await authenticateKey(made[0]!.apiKey)).toBeDefined()
  })

  describe('a later start', () => {
    const finish = async (token: string) => {
      const given = { token, name: 'Ada', password: 'a password for ada', organizationName: 'Acme' }
      return opened(await finishWelcome(testSignInDeps(store, depsOf(store)), given))
    }

    test('makes another welcome link while nobody has used the credentials', async () => {
      expect(await renewWelcome(depsOf(store))).toBeUndefined()
      const made = (await bootstrapPeople(depsOf(store), { email: 'admin@localhost' }))!
      const renewed = (await renewWelcome(depsOf(store)))!
      expect((await finish(renewed.token)).caller).toMatchObject(made.caller)
      // All links are for the same purpose, so using one is enough.
      await expect(finish(made.welcomeToken!)).rejects.toMatchObject({ code: 'link_not_valid' })
      expect(await renewWelcome(depsOf(store))).toBeUndefined()
    })

    test.each(ruleKindsOf(kind))('makes none after someone signed in, even if they signed out again', async () => {
      const made = (await bootstrapPeople(depsOf(store), { email: 'admin@localhost' }))!
      await openers(store).enter(made)
      expect(await renewWelcome(depsOf(store))).toBeUndefined()
      await deleteSessionsOf(store.db, made.caller)
      expect(await renewWelcome(depsOf(store))).toBeUndefined()
    })

    test.each(ruleKindsOf(kind))('makes none after the API key was used', async () => {
      const made = (await bootstrapPeople(depsOf(store), { email: 'admin@localhost' }))!
      const [key] = await listApiKeys(store, made.caller)
      await recordKeyUse(store.db, { keyIds: [key!.id], usedAt: clock.now() })
      expect(await renewWelcome(depsOf(store))).toBeUndefined()
    })

    test.each(ruleKindsOf(kind))('makes none if the operator supplied the password', async () => {
      await bootstrapPeople(depsOf(store), { email: 'admin@localhost', password: testPassword })
      expect(await renewWelcome(depsOf(store))).toBeUndefined()
    })
  })

  test.each([
    [{ email: 'nobody' }, '/email'],
    [{ email: 'admin@localhost', password: 'short' }, '/password'],
    [{ email: 'admin@localhost', apiKey: 'qp_live_short' }, '/apiKey'],
    [{ email: 'admin@localhost', apiKey: `${givenKey}-` }, '/apiKey'],
    [{ email: 'admin@localhost', organizationName: ' ' }, '/organizationName'],
  ])('rejects %j and leaves nothing behind', async (input, path) => {
    const refusal = { code: 'invalid_request', details: [{ path }] }
    await expect(bootstrapPeople(depsOf(store), input)).rejects.toMatchObject(refusal)
    expect(await countRows()).toEqual(nothing)
  })
})
