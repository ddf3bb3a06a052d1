import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../store/db.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore, ruleKindsOf, storeKinds } from '../../../testing/store/test-store.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { makeKeyAuthenticator } from './key-authenticator.ts'
import { testMembers } from '../../../testing/people/members.ts'

const random = seededRandom('api keys')

describe.each(storeKinds)('API keys in %s', (kind) => {
  let store: Store
  beforeAll(async () => void (store = await openTestStore(kind)))
  afterAll(() => store.close())

  async function start() {
    const clock = manualClock()
    const deps = { db: store.db, clock, random }
    const people = testMembers(deps)
    const acme = await people.organization()
    return {
      clock,
      deps,
      people,
      authenticateKey: makeKeyAuthenticator({ db: store.db, lastUsed: { note: () => {} } }),
      admin: await people.member(acme, { role: 'admin' }),
      jane: await people.member(acme),
      john: await people.member(acme),
      stranger: await people.member(await people.organization(), { role: 'admin' }),
    }
  }

  test('a created key is shown once and authenticates as its member', async () => {
    const { clock, deps, jane, authenticateKey } = await start()
    const { key, ...rest } = await createApiKey(deps, jane, { name: '  Nightly report ' })

    expect(key).toMatch(/^qp_live_[A-Za-z0-9]{40}$/)
    expect(rest).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'Nightly report',
      prefix: key.slice(0, 12),
      createdAt: clock.now(),
      lastUsedAt: null,
      scopes: ['read', 'run', 'write:queries', 'write:boards', 'write:folders'],
      expiresAt: null,
      allowedNetworks: null,
      groupIds: null,
    })
    const user = { id: jane.userId, email: jane.email, name: 'A person' }
    expect(await listApiKeys(deps, jane)).toEqual([{ ...rest, user }])
    expect(await authenticateKey(key)).toEqual({
      caller: { organizationId: jane.organizationId, userId: jane.userId, role: 'member', triggerId: rest.id },
      keyId: rest.id,
      keyName: 'Nightly report',
      scopes: rest.scopes,
      hasChosenScopes: false,
      expiresAt: null,
      allowedNetworks: null,
      groupIds: null,
    })
  })

  test.each(['', '   ', 'x'.repeat(101), 'a\0b', 'two\nlines', '\udc00'])('a key cannot be named %j', async (name) => {
    const { deps, jane } = await start()
    await expect(createApiKey(deps, jane, { name })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: '/name' }],
    })
    expect(await listApiKeys(deps, jane)).toEqual([])
  })

  test.each(ruleKindsOf(kind))('a name may have 100 characters, whatever their size', async () => {
    const { deps, jane } = await start()
    const name = '🔑'.repeat(100)
    await createApiKey(deps, jane, { name })
    expect(await listApiKeys(deps, jane)).toMatchObject([{ name }])
  })

  test.each(ruleKindsOf(kind))('members see their own keys and admins all keys of the organization, newest first', async () => {
    const { clock, deps, admin, jane, john, stranger } = await start()
    for (const member of [jane, john, admin, stranger, jane]) {
      await createApiKey(deps, member, { name: 'key' })
      await clock.advance(1)
    }
    const ownersSeenBy = async (caller: typeof jane) => (await listApiKeys(deps, caller)).map(({ user }) => user.email)
    expect(await ownersSeenBy(jane)).toEqual([jane.email, jane.email])
    expect(await ownersSeenBy(john)).toEqual([john.email])
    expect(await ownersSeenBy(admin)).toEqual([jane.email, admin.email, john.email, jane.email])
    expect(await ownersSeenBy(stranger)).toEqual([stranger.email])
  })

  test.each(ruleKindsOf(kind))('a revoked key stops working and cannot be revoked again', async () => {
    const { deps, jane, authenticateKey } = await start()
    const first = await createApiKey(deps, jane, { name: 'first' })
    const second = await createApiKey(deps, jane, { name: 'second' })
    expect(await authenticateKey(first.key)).toBeDefined()
    await revokeApiKey(deps, jane, first.id)

    expect(await authenticateKey(first.key)).toBeUndefined()
    expect(await authenticateKey(second.key)).toBeDefined()
    expect(await listApiKeys(deps, jane)).toMatchObject([{ id: second.id }])
    await expect(revokeApiKey(deps, jane, first.id)).rejects.toMatchObject({ code: 'api_key_not_found' })
  })

  test.each(ruleKindsOf(kind))('one of several concurrent revocations succeeds', async () => {
    const { deps, admin, jane } = await start()
    const { id } = await createApiKey(deps, jane, { name: 'key' })
    const answers = await Promise.allSettled([jane, admin, jane, admin].map((caller) => revokeApiKey(deps, caller, id)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test.each(ruleKindsOf(kind))("only its member and the organization's admins can revoke a key", async () => {
    const { deps, admin, jane, john, stranger, authenticateKey } = await start()
    const { id, key } = await createApiKey(deps, jane, { name: 'key' })
    for (const caller of [john, stranger]) {
      await expect(revokeApiKey(deps, caller, id)).rejects.toMatchObject({ code: 'api_key_not_found' })
    }
    expect(await authenticateKey(key)).toBeDefined()
    await revokeApiKey(deps, admin, id)
    expect(await authenticateKey(key)).toBeUndefined()
  })

  test.each(['', 'key_unknown', 'key_\0'])('there is no key %j to revoke', async (id) => {
    const { deps, admin } = await start()
    await expect(revokeApiKey(deps, admin, id)).rejects.toMatchObject({ code: 'api_key_not_found' })
  })

  test.each(ruleKindsOf(kind))("a removed member's keys stop working, and they cannot create new ones", async () => {
    const { deps, people, jane, john, authenticateKey } = await start()
    const janes = await createApiKey(deps, jane, { name: 'key' })
    const johns = await createApiKey(deps, john, { name: 'key' })
    await people.remove(jane)

    expect(await authenticateKey(janes.key)).toBeUndefined()
    expect(await authenticateKey(johns.key)).toBeDefined()
    await expect(createApiKey(deps, jane, { name: 'key' })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test.each(ruleKindsOf(kind))('a changed role applies from the next request', async () => {
    const { deps, admin, authenticateKey } = await start()
    const { key } = await createApiKey(deps, admin, { name: 'key' })
    await store.db.updateTable('memberships').set({ role: 'member' }).where('user_id', '=', admin.userId).execute()
    expect(await authenticateKey(key)).toMatchObject({ caller: { role: 'member' } })
  })

  test.each(ruleKindsOf(kind))('keys that arrive together each authenticate as their own member', async () => {
    const { deps, admin, jane, stranger, authenticateKey } = await start()
    const members = [admin, jane, stranger]
    const keys = await Promise.all(members.map((member) => createApiKey(deps, member, { name: 'key' })))
    const asked = Array.from({ length: 100 }, (_, index) => index % 4)
    const unknownKey = `qp_live_${'0'.repeat(40)}`
    const answers = await Promise.all(asked.map((index) => authenticateKey(keys[index]?.key ?? unknownKey)))
    expect(answers.map((answer) => answer?.caller.userId)).toEqual(asked.map((index) => members[index]?.userId))
  })
})

test.each([
  '',
  'qp_live_',
  `qp_live_${'a'.repeat(31)}`,
  `qp_live_${'a'.repeat(65)}`,
  `qp_test_${'a'.repeat(40)}`,
  `qp_live_${'a'.repeat(39)}_`,
  `qp_live_${'a'.repeat(40)}\n`,
  `qp_live_${'a'.repeat(39)}\0`,
])('rejects malformed keys without querying the database: %j', async (key) => {
  const db = new Proxy({} as Store['db'], {
    get() {
      throw new Error('the database was queried')
    },
  })
  const authenticateKey = makeKeyAuthenticator({
    db,
    lastUsed: { note: () => {} },
  })
  expect(await authenticateKey(key)).toBeUndefined()
  await expect(authenticateKey(`qp_live_${'a'.repeat(40)}`)).rejects.toThrow('the database was queried')
})
