import { afterAll, beforeAll, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { testMembers } from '../../../testing/people/members.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore, type TestStore } from '../../../testing/store/test-store.ts'
import { recordFailedSignIn } from './record-failed-sign-in.ts'

let store: TestStore
beforeAll(async () => void (store = await openTestStore('postgres')))
afterAll(() => store.close())

test('records at most ten concurrent failures an hour', async () => {
  const clock = manualClock()
  const random = seededRandom('failed sign-ins')
  const people = testMembers({ db: store.db, clock, random })
  const { userId } = await people.member(await people.organization())
  const fail = () =>
    recordFailedSignIn({ db: store.db, clock, random }, { user: { id: userId, email: 'a@b.example' }, origin: undefined })
  const recorded = () => store.db.selectFrom('audit_log').select('id').where('action', '=', 'session.failed').execute()
  await Promise.all(Array.from({ length: 40 }, fail))
  expect(await recorded()).toHaveLength(10)
  await clock.advance(3600_000)
  await fail()
  expect(await recorded()).toHaveLength(11)
})
