import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '../../store/db.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import { createInvitation } from './invitations.ts'
import { makeLink } from './person-links.ts'
import { linkSweeps } from './sweep-links.ts'
import { testMembers } from '../../../testing/people/members.ts'

let store: Store
beforeAll(async () => void (store = await openTestStore('pglite')))
afterAll(() => store.close())

const dayMs = 24 * 3600_000

test('removes links and invitations 30 days after they expire, and no sooner', async () => {
  const clock = manualClock()
  const deps = { db: store.db, clock, random: seededRandom('sweeping links'), mail: null, baseUrl: 'https://querypost.test' }
  const people = testMembers(deps)
  const admin = await people.member(await people.organization(), { role: 'admin' })
  await createInvitation(deps, admin, { email: 'old@example.com', role: 'member' })
  clock.leap(6 * dayMs)
  // Both expire on the seventh day.
  await makeLink(deps, { userId: admin.userId, purpose: 'welcome' })
  const counts = async () => {
    for (const sweep of linkSweeps(deps)) await sweep.removeBatch()
    const [links, invitations] = await Promise.all([
      store.db.selectFrom('person_links').select('purpose').execute(),
      store.db.selectFrom('invitations').select('email').execute(),
    ])
    return [links.length, invitations.length]
  }
  clock.leap(31 * dayMs)
  expect(await counts()).toEqual([1, 1])
  clock.leap(1)
  expect(await counts()).toEqual([0, 0])
})
