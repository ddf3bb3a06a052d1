import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notify } from '../../../domain/notifications/notify.ts'
import {
  startTestService,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '../../../testing/test-service.ts'
import { storeKinds } from '../../../testing/test-store.ts'
import { at, expectRefusal } from '../../test-requests.ts'

describe.each(storeKinds)('notifications on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'member@shop.test')
  })
  afterAll(() => service.stop())
  beforeEach(() => service.services.db.deleteFrom('notifications').execute())

  const url = '/app/api/notifications'
  const tell = async ({ caller }: TestPerson, message: string) => {
    await service.clock.advance(1)
    const { db, clock, random } = service.services
    const { organizationId, userId } = caller
    const input = { organizationId, userId, kind: 'endpoint_disabled', message, link: '/settings/webhooks/we_1' } as const
    await db.transaction().execute((tx) => notify({ tx, clock, random }, input))
  }
  const list = async (person: TestPerson, query = '') => {
    const answer = await person.page('GET', `${url}${query}`)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<{ items: { id: string; message: string; readAt: string | null }[]; unreadCount: number }>()
  }
  const read = (person: TestPerson, body?: object) => person.page('POST', `${url}/read`, body)

  test('each person sees what is meant for them, newest first, and how much is unread', async () => {
    expect(await list(member)).toEqual({ items: [], unreadCount: 0 })
    await tell(member, 'first')
    await tell(shop.admin, 'for the admin')
    await tell(member, 'second')
    const { items, unreadCount } = await list(member)
    expect(items.map(({ message }) => message)).toEqual(['second', 'first'])
    expect(unreadCount).toBe(2)
    expect(items[0]).toEqual({
      id: expect.stringMatching(/^ntf_\w{22}$/),
      kind: 'endpoint_disabled',
      message: 'second',
      link: '/settings/webhooks/we_1',
      createdAt: service.clock.now().toISOString(),
      readAt: null,
    })
    expect((await list(member, '?limit=1')).items).toHaveLength(1)
    expect((await list(member, '?limit=1')).unreadCount).toBe(2)
  })

  test('reading some, then all; what was read keeps its time', async () => {
    for (const message of ['first', 'second', 'third']) await tell(member, message)
    const [third, second] = (await list(member)).items
    const readAt = service.clock.now().toISOString()
    const some = await read(member, { ids: [second!.id, second!.id, 'ntf_nothing', 'nonsense\\'] })
    expect([some.statusCode, some.json()]).toEqual([200, { unreadCount: 2 }])
    expect((await list(member)).items.map((item) => item.readAt)).toEqual([null, readAt, null])
    expect((await read(member, { ids: [] })).json()).toEqual({ unreadCount: 2 })

    await service.clock.advance(1000)
    expect((await read(member)).json()).toEqual({ unreadCount: 0 })
    const later = service.clock.now().toISOString()
    const { items } = await list(member)
    expect(items.map((item) => item.readAt)).toEqual([later, readAt, later])
    expect(items[0]!.id).toBe(third!.id)
  })

  test('nobody reads for another, neither by id nor all at once', async () => {
    const stranger = await service.addOrganization('bank')
    await tell(member, 'for the member')
    const [item] = (await list(member)).items
    for (const person of [shop.admin, stranger.admin]) {
      expect((await read(person, { ids: [item!.id] })).json()).toEqual({ unreadCount: 0 })
      expect((await read(person, {})).json()).toEqual({ unreadCount: 0 })
      expect((await list(person)).items).toEqual([])
    }
    expect(await list(member)).toEqual({ items: [item], unreadCount: 1 })
  })

  test('a person of two organizations sees each one’s apart', async () => {
    const other = await service.addOrganization('second')
    await tell(member, 'here')
    await tell({ ...member, caller: { ...member.caller, organizationId: other.admin.caller.organizationId } }, 'there')
    expect((await list(member)).items.map(({ message }) => message)).toEqual(['here'])
    await read(member)
    const unread = await service.services.db.selectFrom('notifications').select('message').where('read_at', 'is', null).execute()
    expect(unread).toEqual([{ message: 'there' }])
  })

  test.each(['limit=0', 'limit=101', 'limit=x'])('refuses ?%s', async (query) => {
    expectRefusal(await member.page('GET', `${url}?${query}`), 'invalid_request', at('limit'))
  })

  test.each([
    [{ ids: 'ntf_1' }, '/ids'],
    [{ ids: [1] }, '/ids/0'],
    [{ id: 'ntf_1' }, '/id'],
    [{ ids: Array.from({ length: 1001 }, () => 'ntf_1') }, '/ids'],
  ])('refuses the body %o', async (body, place) => {
    await tell(member, 'unread')
    expectRefusal(await read(member, body), 'invalid_request', at(place))
    expect((await list(member)).unreadCount).toBe(1)
  })
})
