import { makeFindMember } from '../../store/people/find-member.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../store/db.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore, ruleKindsOf, storeKinds } from '../../../testing/store/test-store.ts'
import { whoAmI } from './organizations.ts'
import { testMembers } from '../../../testing/people/members.ts'

describe.each(storeKinds)('organizations in %s', (kind) => {
  let store: Store
  let people: ReturnType<typeof testMembers>
  beforeAll(async () => {
    store = await openTestStore(kind)
    people = testMembers({ db: store.db, clock: manualClock(), random: seededRandom('organizations') })
  })
  afterAll(() => store.close())

  test('a caller gets its identity in the organization it calls from', async () => {
    const [acme, other] = [await people.organization('Acme'), await people.organization('  Other ')]
    const jane = await people.member(acme, { email: 'Jane@example.com' })
    const elsewhere = await people.join(other, jane.userId, 'admin')

    const user = { id: jane.userId, email: 'Jane@example.com', name: 'A person' }
    expect(await whoAmI({ findMember: makeFindMember(store) }, jane)).toEqual({ user, organization: { id: acme, name: 'Acme', chartPalette: null }, role: 'member' })
    expect(await whoAmI({ findMember: makeFindMember(store) }, elsewhere)).toEqual({ user, organization: { id: other, name: 'Other', chartPalette: null }, role: 'admin' })

    await people.remove(jane)
    await expect(whoAmI({ findMember: makeFindMember(store) }, jane)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test.each(ruleKindsOf(kind))('an e-mail has one user, regardless of case', async () => {
    const [acme, other] = [await people.organization(), await people.organization()]
    await people.member(acme, { email: 'john@example.com' })
    await expect(people.member(other, { email: 'JOHN@Example.com' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: '/email' }],
    })
  })

  test.each(ruleKindsOf(kind))('nobody can be a member twice', async () => {
    const acme = await people.organization()
    const member = await people.member(acme)
    await expect(people.join(acme, member.userId, 'admin')).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await whoAmI({ findMember: makeFindMember(store) }, member)).toMatchObject({ role: 'member' })
  })

  const tooLong = `${'x'.repeat(250)}@x.org`
  const noEmails = ['', 'jane', 'jane@', '@example.com', 'a@b@c', 'jane doe@example.com', 'ja\0ne@example.com', tooLong]
  test.each(noEmails)('rejects the user e-mail %j', async (email) => {
    await expect(people.member(await people.organization(), { email })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: '/email' }],
    })
  })

  test.each(['', '  ', 'x'.repeat(101), 'two\nlines', '\ud800'])('rejects the organization name %j', async (name) => {
    await expect(people.organization(name)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: '/organizationName' }],
    })
  })
})
