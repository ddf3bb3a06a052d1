import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  startTestService,
  testPassword,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { statusesOf } from '../../../../testing/http/people.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('members on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let name = 0

  beforeAll(async () => void (service = await startTestService(kind, { worker: false })))
  afterAll(() => service.stop())
  beforeEach(async () => {
    name += 1
    shop = await service.addOrganization(`shop-${name}`)
  })

  const add = (role: 'admin' | 'member', given = 'jane') => shop.addPerson(role, `${given}@shop-${name}.test`)
  const list = async (by: TestPerson) => (await by.page('GET', '/app/api/members')).json().items
  const of = ({ caller }: TestPerson) => `/app/api/members/${caller.userId}`
  const setRole = (by: TestPerson, person: TestPerson, role: string) => by.page('PATCH', of(person), { role })
  const remove = (by: TestPerson, person: TestPerson) => by.page('DELETE', of(person))

  test('all members can list the members, by name', async () => {
    const jane = await add('member', 'Jane')
    const joinedAt = service.clock.now().toISOString()
    const expected = [
      { id: shop.admin.caller.userId, name: 'admin', email: shop.admin.email, role: 'admin', joinedAt },
      { id: jane.caller.userId, name: 'Jane', email: jane.email, role: 'member', joinedAt },
    ]
    const seenBy = (hasSecondFactor: boolean | null) => expected.map((each) => Object.assign({ hasSecondFactor, isRoleFromProvider: false }, each))
    expect(await list(shop.admin)).toEqual(seenBy(false))
    expect(await list(jane)).toEqual(seenBy(null))
  })

  test('a changed role takes effect with the next request, for API keys too', async () => {
    const jane = await add('member')
    expectRefusal(await jane.page('GET', '/app/api/invitations'), 'forbidden')
    const changed = await setRole(shop.admin, jane, 'admin')
    expect([changed.statusCode, changed.json()]).toEqual([200, expect.objectContaining({ role: 'admin', email: jane.email })])
    expect((await jane.page('GET', '/app/api/invitations')).statusCode).toBe(200)
    expect((await jane.api('GET', '/api/me')).json()).toMatchObject({ role: 'admin' })
    expect((await setRole(shop.admin, shop.admin, 'member')).json()).toMatchObject({ role: 'member' })
    expectRefusal(await setRole(shop.admin, jane, 'member'), 'forbidden')
    expectRefusal(await jane.page('PATCH', of(jane), { role: 'owner' }), 'invalid_request', at('/role'))
  })

  test('a removed member loses sessions and keys at once, and can return only with an invitation', async () => {
    const jane = await add('member')
    expect((await jane.api('GET', '/api/me')).statusCode).toBe(200)
    expect((await remove(shop.admin, jane)).statusCode).toBe(204)
    expectRefusal(await jane.page('GET', '/app/api/session'), 'unauthenticated')
    expectRefusal(await jane.api('GET', '/api/me'), 'unauthenticated')
    const signIn = { email: jane.email, password: testPassword }
    const answer = await service.app.inject({ method: 'POST', url: '/app/api/session', payload: signIn })
    expectRefusal(answer, 'forbidden', { message: /no longer a member/ })
    expectRefusal(await remove(shop.admin, jane), 'member_not_found')
    expect(await list(shop.admin)).toHaveLength(1)
    const invited = await shop.admin.page('POST', '/app/api/invitations', { email: jane.email, role: 'member' })
    expect(invited.statusCode).toBe(201)
  })

  test('members can remove only themselves', async () => {
    const [jane, john] = [await add('member'), await add('member', 'john')]
    expectRefusal(await remove(jane, john), 'forbidden', { message: /admin/ })
    expectRefusal(await setRole(jane, jane, 'admin'), 'forbidden', { message: /admin/ })
    expect((await remove(jane, jane)).statusCode).toBe(204)
    expectRefusal(await jane.page('GET', '/app/api/session'), 'unauthenticated')
    expect(await list(john)).toHaveLength(2)
  })

  test('the last admin can neither leave nor become a member', async () => {
    const jane = await add('member')
    expectRefusal(await remove(shop.admin, shop.admin), 'last_admin')
    expectRefusal(await setRole(shop.admin, shop.admin, 'member'), 'last_admin')
    expect((await setRole(shop.admin, shop.admin, 'admin')).statusCode).toBe(200)
    await setRole(shop.admin, jane, 'admin')
    expect((await remove(shop.admin, shop.admin)).statusCode).toBe(204)
    expectRefusal(await remove(jane, jane), 'last_admin')
  })

  test('concurrent changes by admins leave at least one admin', async () => {
    const admins = [shop.admin, await add('admin'), await add('admin', 'john')]
    const leave = admins.map((person) => remove(person, person))
    const answers = await Promise.all(leave)
    expect(statusesOf(answers)).toEqual([204, 204, 409])
    const left = admins.find((_, index) => answers[index]!.statusCode === 409)
    expect(await list(left!)).toEqual([expect.objectContaining({ email: left!.email, role: 'admin' })])

    const other = await add('admin', 'other')
    const demotions = await Promise.all([setRole(left!, other, 'member'), setRole(other, left!, 'member')])
    // The second one is no longer an admin, and gets an error from whichever check finds it first.
    expect(statusesOf(demotions)).toEqual([200, 403])
  })

  test.each(['user_unknown', '%00', 'x'])('returns 404 for the member %s', async (id) => {
    expectRefusal(await shop.admin.page('DELETE', `/app/api/members/${id}`), 'member_not_found')
    expectRefusal(await shop.admin.page('PATCH', `/app/api/members/${id}`, { role: 'admin' }), 'member_not_found')
  })
})
