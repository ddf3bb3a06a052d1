import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notify } from '../../../domain/notifications/notify.ts'
import {
  startTestService,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('notifications on %s', (kind) => {
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
    type Item = { id: string; message: string; readAt: string | null }
    return answer.json<{ items: Item[]; nextCursor?: string; unreadCount: number }>()
  }
  const read = (person: TestPerson, body?: object) => person.page('POST', `${url}/read`, body)

  test('each user sees their own notifications, newest first, with the unread count', async () => {
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

  test('marks some, then all as read, and keeps the time of the first read', async () => {
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

  test('lists only unread ones, paginated; cursors belong to that list', async () => {
    for (const message of ['first', 'second', 'third', 'fourth']) await tell(member, message)
    const [, third] = (await list(member)).items
    await read(member, { ids: [third!.id] })
    const page = await list(member, '?show=unread&limit=2')
    expect(page).toMatchObject({ items: [{ message: 'fourth' }, { message: 'second' }], unreadCount: 3 })
    const rest = await list(member, `?show=unread&limit=2&cursor=${page.nextCursor}`)
    expect(rest.items.map(({ message }) => message)).toEqual(['first'])
    expect(rest).not.toHaveProperty('nextCursor')
    expect((await list(member, '?show=all')).items).toHaveLength(4)
    expectRefusal(await member.page('GET', `${url}?cursor=${page.nextCursor}`), 'cursor_invalid', at('cursor'))
    expectRefusal(await member.page('GET', `${url}?show=some`), 'invalid_request', at('show'))
  })

  test('a user cannot mark another’s notifications as read, by id or all at once', async () => {
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

  test('a member of two organizations sees each one’s notifications separately', async () => {
    const other = await service.addOrganization('second')
    await tell(member, 'here')
    await tell({ ...member, caller: { ...member.caller, organizationId: other.admin.caller.organizationId } }, 'there')
    expect((await list(member)).items.map(({ message }) => message)).toEqual(['here'])
    await read(member)
    const unread = await service.services.db.selectFrom('notifications').select('message').where('read_at', 'is', null).execute()
    expect(unread).toEqual([{ message: 'there' }])
  })

  test('pagination is stable while notifications arrive or are read', async () => {
    for (let number = 1; number <= 5; number += 1) await tell(member, `number ${number}`)
    const first = await list(member, '?limit=2')
    await tell(member, 'number 6')
    await read(member)
    const second = await list(member, `?limit=2&cursor=${first.nextCursor}`)
    const third = await list(member, `?limit=2&cursor=${second.nextCursor}`)
    expect([first, second, third].flatMap(({ items }) => items.map(({ message }) => message))).toEqual(
      [5, 4, 3, 2, 1].map((number) => `number ${number}`),
    )
    expect(third).not.toHaveProperty('nextCursor')
    expect([first, second].map(({ unreadCount }) => unreadCount)).toEqual([5, 0])
  })

  test('notifications with the same time appear exactly once', async () => {
    const { db, clock, random } = service.services
    const input = { ...member.caller, kind: 'run_failed', message: 'at once', link: '/chats/a' } as const
    await db.transaction().execute(async (tx) => {
      for (let number = 0; number < 5; number += 1) await notify({ tx, clock, random }, input)
    })
    const ids: string[] = []
    for (let cursor = ''; ; ) {
      const { items, nextCursor } = await list(member, `?limit=2${cursor && `&cursor=${cursor}`}`)
      ids.push(...items.map(({ id }) => id))
      if (nextCursor === undefined) break
      cursor = nextCursor
    }
    expect([ids.length, new Set(ids).size]).toEqual([5, 5])
  })

  test('a cursor is valid only for its user and list, for a day', async () => {
    for (const person of [member, shop.admin]) for (const message of ['one', 'two']) await tell(person, message)
    const { nextCursor } = await list(member, '?limit=1')
    const next = `${url}?limit=1&cursor=${nextCursor}`
    expectRefusal(await shop.admin.page('GET', next), 'cursor_invalid', at('cursor'))
    expectRefusal(await member.page('GET', `${next}x`), 'cursor_invalid', at('cursor'))
    expectRefusal(await member.page('GET', `${url}?cursor=`), 'invalid_request', at('cursor'))
    await service.clock.advance(24 * 3600_000)
    expectRefusal(await member.page('GET', next), 'cursor_expired')
  })

  test.each(['limit=0', 'limit=101', 'limit=x'])('rejects ?%s', async (query) => {
    expectRefusal(await member.page('GET', `${url}?${query}`), 'invalid_request', at('limit'))
  })

  test.each([
    [{ ids: 'ntf_1' }, '/ids'],
    [{ ids: [1] }, '/ids/0'],
    [{ id: 'ntf_1' }, '/id'],
    [{ ids: Array.from({ length: 1001 }, () => 'ntf_1') }, '/ids'],
  ])('rejects the body %o', async (body, place) => {
    await tell(member, 'unread')
    expectRefusal(await read(member, body), 'invalid_request', at(place))
    expect((await list(member)).unreadCount).toBe(1)
  })
})
