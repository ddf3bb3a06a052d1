import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../store/db.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { openTestStore, ruleKindsOf, storeKinds } from '../../../testing/store/test-store.ts'
import { createApiKey, listApiKeys } from './api-keys.ts'
import { makeKeyAuthenticator } from './key-authenticator.ts'
import { makeLastUsedRecorder } from './last-used.ts'
import { testMembers } from '../../../testing/people/members.ts'

const random = seededRandom('last used')

describe.each(storeKinds)('last use of API keys in %s', (kind) => {
  let store: Store
  beforeAll(async () => void (store = await openTestStore(kind)))
  afterAll(() => store.close())

  async function start(keyCount: number) {
    const clock = manualClock()
    const deps = { db: store.db, clock, random }
    const people = testMembers(deps)
    const admin = await people.member(await people.organization(), { role: 'admin' })
    const keys: { id: string; key: string }[] = []
    for (let count = 0; count < keyCount; count++) keys.push(await createApiKey(deps, admin, { name: 'key' }))
    const lastUsed = makeLastUsedRecorder({ ...deps, log: silentLog })
    return {
      clock,
      keys,
      lastUsed,
      authenticateKey: makeKeyAuthenticator({ db: store.db, lastUsed }),
      lastUsedOf: async (id: string) => {
        await lastUsed.flush()
        return (await listApiKeys(deps, admin)).find((key) => key.id === id)!.lastUsedAt
      },
    }
  }

  test('records a use, and again only after a minute', async () => {
    const { clock, keys, authenticateKey, lastUsedOf } = await start(2)
    const [used, unused] = keys
    const first = clock.now()
    await authenticateKey(used!.key)
    expect(await lastUsedOf(used!.id)).toEqual(first)
    expect(await lastUsedOf(unused!.id)).toBeNull()

    await clock.advance(59_999)
    await authenticateKey(used!.key)
    expect(await lastUsedOf(used!.id)).toEqual(first)

    await clock.advance(1)
    await authenticateKey(used!.key)
    expect(await lastUsedOf(used!.id)).toEqual(clock.now())
  })

  test.each(ruleKindsOf(kind))('records all uses that arrive together', async () => {
    const { clock, keys, authenticateKey, lastUsedOf } = await start(20)
    await Promise.all([...keys, ...keys].map(({ key }) => authenticateKey(key)))
    for (const { id } of keys) expect(await lastUsedOf(id)).toEqual(clock.now())
  })

  test.each(ruleKindsOf(kind))('the time never goes back', async () => {
    const { clock, keys, lastUsed, lastUsedOf } = await start(1)
    const { id } = keys[0]!
    lastUsed.note(id)
    await lastUsed.flush()
    const behind = makeLastUsedRecorder({ db: store.db, clock: manualClock('2025-01-01T00:00:00.000Z'), log: silentLog })
    behind.note(id)
    await behind.flush()
    expect(await lastUsedOf(id)).toEqual(clock.now())
  })
})

test('logs a failed write and continues', async () => {
  const clock = manualClock()
  const warnings: unknown[] = []
  const db = new Proxy({} as Store['db'], {
    get() {
      throw new Error('connection lost')
    },
  })
  const lastUsed = makeLastUsedRecorder({ db, clock, log: { warn: (...line: unknown[]) => void warnings.push(line) } })
  lastUsed.note('key_1')
  await lastUsed.flush()
  expect(warnings).toEqual([[{ err: new Error('connection lost') }, 'failed to record when API keys were last used']])

  lastUsed.note('key_1')
  await lastUsed.flush()
  expect(warnings).toHaveLength(1)
  await clock.advance(60_000)
  lastUsed.note('key_1')
  await lastUsed.flush()
  expect(warnings).toHaveLength(2)
})
