import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CollectedRoute, collectRoutes } from '../../testing/http/collect-routes.ts'
import { at, expectRefusal } from '../../testing/http/requests.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../testing/test-service.ts'

let service: TestService
let shop: TestOrganization
let member: TestPerson
let routes: CollectedRoute[]

beforeAll(async () => {
  ;({ built: service, routes } = await collectRoutes(() => startTestService('postgres', { worker: false })))
  shop = await service.addOrganization('shop')
  member = await shop.addPerson('member', 'member@shop.test')
})
afterAll(() => service.stop())

const view = (person: TestPerson, userId: string) => person.page('PUT', '/app/api/session/viewed-member', { userId })
const stop = (person: TestPerson) => person.page('DELETE', '/app/api/session/viewed-member')
const session = async (person: TestPerson) => (await person.page('GET', '/app/api/session')).json()

test('an admin sees what the member sees, and the way out', async () => {
  const levels = [{ groupId: null, level: 'none' }]
  const database = `/app/api/databases/${shop.databaseId}`
  await shop.admin.page('PUT', `/app/api/access/databases/${shop.databaseId}`, { levels })
  expect((await shop.admin.page('GET', database)).statusCode).toBe(200)
  expect(await session(shop.admin)).toMatchObject({ isViewedAs: false, role: 'admin' })
  expect((await view(shop.admin, member.caller.userId)).statusCode).toBe(204)
  expect(await session(shop.admin)).toMatchObject({ isViewedAs: true, role: 'member', user: { id: member.caller.userId } })
  expectRefusal(await shop.admin.page('GET', database), 'database_not_found')
  expectRefusal(await shop.admin.page('GET', '/app/api/groups'), 'forbidden')
  // The member is not affected, nor are the admin's keys.
  expect(await session(member)).toMatchObject({ isViewedAs: false })
  expect((await shop.admin.api('GET', '/api/me')).json()).toMatchObject({ user: { id: shop.admin.caller.userId } })
  service.clock.leap(1000)
  expect((await stop(shop.admin)).statusCode).toBe(204)
  expect((await shop.admin.page('GET', database)).statusCode).toBe(200)
  await shop.admin.page('PUT', `/app/api/access/databases/${shop.databaseId}`, { levels: [] })
  const records = await service.services.db.selectFrom('audit_log').selectAll().where('action', 'in', ['member.view_started', 'member.view_ended']).orderBy('id').execute()
  const { userId } = shop.admin.caller
  expect(records).toMatchObject([
    { action: 'member.view_started', actor_id: userId, subject_id: member.caller.userId },
    { action: 'member.view_ended', actor_id: userId, subject_id: member.caller.userId },
  ])
})

test('every route that changes something is refused', async () => {
  await view(shop.admin, member.caller.userId)
  const allowed = new Set(['DELETE /app/api/session', 'DELETE /app/api/session/viewed-member'])
  // The last one is for a sign-in that is not finished, and knows no session.
  const others = ['POST /app/api/boards/:shortId/results', 'POST /app/api/boards/:shortId/short-results', 'POST /app/api/sign-in/second-factor/offer']
  const writing = routes.filter(({ method, url }) => method !== 'GET' && url.startsWith('/app/api/'))
  const codes = new Map<string, string | undefined>()
  for (const { method, url } of writing) {
    const route = `${method} ${url}`
    if (allowed.has(route)) continue
    const address = url.replaceAll(/:\w+/g, 'x')
    const anonymous = await service.app.inject({ method: method as 'POST', url: address })
    // Routes without a session are the same for everyone.
    if (anonymous.statusCode !== 401) continue
    codes.set(route, (await shop.admin.page(method, address)).json<{ code?: string }>().code)
  }
  expect([...codes].filter(([, code]) => code !== 'viewing_as_member').map(([route]) => route).toSorted()).toEqual(others)
  expect(codes.size).toBeGreaterThan(100)
  await stop(shop.admin)
})

test('an invitation is not accepted for the member', async () => {
  const bank = await service.addOrganization('bank')
  const invited = (await bank.admin.page('POST', '/app/api/invitations', { email: member.email, role: 'member' })).json<{ url: string }>()
  await view(shop.admin, member.caller.userId)
  const token = invited.url.split(/[/#=]/).at(-1)
  expectRefusal(await shop.admin.page('POST', '/app/api/invitations/accept', { token }), 'viewing_as_member')
  await stop(shop.admin)
})

test('only admins can view, and only other members of their organization', async () => {
  expectRefusal(await view(member, shop.admin.caller.userId), 'forbidden')
  expectRefusal(await view(shop.admin, 'user_none'), 'member_not_found')
  expectRefusal(await view(shop.admin, shop.admin.caller.userId), 'invalid_request', at('/userId'))
  const other = await service.addOrganization('other')
  expectRefusal(await view(shop.admin, other.admin.caller.userId), 'member_not_found')
  await view(shop.admin, member.caller.userId)
  expectRefusal(await view(shop.admin, member.caller.userId), 'viewing_as_member')
  await stop(shop.admin)
})

test('it ends when the admin is no longer one, and when the member leaves', async () => {
  const second = await shop.addPerson('admin', 'second@shop.test')
  const leaving = await shop.addPerson('member', 'leaving@shop.test')
  await view(second, leaving.caller.userId)
  await shop.admin.page('PATCH', `/app/api/members/${second.caller.userId}`, { role: 'member' })
  expect(await session(second)).toMatchObject({ isViewedAs: false, role: 'member', user: { id: second.caller.userId } })
  await shop.admin.page('PATCH', `/app/api/members/${second.caller.userId}`, { role: 'admin' })
  expect(await session(second)).toMatchObject({ isViewedAs: true })
  await leaving.page('DELETE', `/app/api/members/${leaving.caller.userId}`)
  expect(await session(second)).toMatchObject({ isViewedAs: false, role: 'admin' })
})
