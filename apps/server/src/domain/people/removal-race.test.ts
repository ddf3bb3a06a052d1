import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, Store } from '../../store/db.ts'
import { insertApiKey } from '../../store/people/api-keys-table.ts'
import { openSession } from '../../store/people/open-session.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Caller } from '../../model/caller.ts'
import { testMembers } from '../../../testing/people/members.ts'
import { untilWaiting } from '../../../testing/people/until-waiting.ts'

// Only a server has two connections, so that a statement can meet a removal in progress.
let store: Store
beforeAll(async () => void (store = await openTestStore('postgres')))
afterAll(() => store.close())

const clock = manualClock()

/** Removes the member, but commits only once `act` is waiting for the removal. */
async function removeDuring<Answer>(member: Caller, act: (db: Db) => Promise<Answer>): Promise<Answer> {
  let acting: Promise<Answer> | undefined
  await store.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('memberships').where('user_id', '=', member.userId).execute()
    acting = act(store.db)
    await untilWaiting(store.db, 1)
  })
  return acting!
}

test('a member who is being removed gets neither a session nor a key, and no internal error', async () => {
  const people = testMembers({ db: store.db, clock, random: seededRandom('removal') })
  const [jane, john] = [
    await people.member(await people.organization()),
    await people.member(await people.organization()),
  ]
  const now = clock.now()

  const session = { tokenHash: Buffer.from('token'), userId: jane.userId, method: 'password', createdAt: now, expiresAt: now } as const
  expect(await removeDuring(jane, (db) => openSession(db, session))).toBeUndefined()

  const key = { id: 'key_1', organization_id: john.organizationId, user_id: john.userId, name: 'key', prefix: 'qp_live_' }
  const row = { ...key, key_hash: Buffer.from('key'), created_at: now, scopes: null, expires_at: null, allowed_networks: null, group_ids: null }
  expect(await removeDuring(john, (db) => insertApiKey(db, row))).toBe(false)
})
