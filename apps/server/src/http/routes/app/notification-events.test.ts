import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { notify } from '../../../domain/notifications/notify.ts'
import { listenToEvents } from '../../../../testing/event-stream.ts'
import {
  startTestService,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { pollPause } from '../../../../testing/poll-pause.ts'

const url = '/app/api/notifications/events'

describe.each(routeStoreKinds)('the live count of unread notifications on %s', (kind) => {
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

  const listen = (person: TestPerson) => listenToEvents(service, person, { url })
  const unread = (unreadCount: number) => ({ event: 'unread', data: { unreadCount } })
  async function tell({ caller }: TestPerson) {
    const { db, clock, random } = service.services
    const input = { ...caller, kind: 'run_failed', message: 'It failed.', link: '/chats/a' } as const
    await db.transaction().execute((tx) => notify({ tx, clock, random }, input))
  }
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await pollPause()
  }

  test('is sent at once when a notification arrives or is read, to its own user only', async () => {
    await tell(member)
    const [ofMember, again, ofAdmin] = [await listen(member), await listen(member), await listen(shop.admin)]
    expect(await ofMember.next()).toEqual(unread(1))
    expect(await again.next()).toEqual(unread(1))
    expect(await ofAdmin.next()).toEqual(unread(0))
    await tell(member)
    expect(await ofMember.next()).toEqual(unread(2))
    expect(await again.next()).toEqual(unread(2))
    await member.page('POST', '/app/api/notifications/read')
    expect(await ofMember.next()).toEqual(unread(0))
    await tell(shop.admin)
    // The admin's next event contains nothing of the member's.
    expect(await ofAdmin.next()).toEqual(unread(1))
    for (const stream of [ofMember, again, ofAdmin]) stream.close()
    await until(() => service.clock.sleepers() === 0)
  })

  test('a lost wake-up delays the count by seconds', async () => {
    const stream = await listen(member)
    expect(await stream.next()).toEqual(unread(0))
    const lost = vi.spyOn(service.services.wakeups, 'wake').mockImplementation(() => {})
    await tell(member)
    lost.mockRestore()
    // Two sleepers: the heartbeat and the watcher.
    await until(() => service.clock.sleepers() === 2)
    await service.clock.advance(5_000)
    expect(await stream.next()).toEqual(unread(1))
    stream.close()
    await until(() => service.clock.sleepers() === 0)
  })

  test('sends nothing after sign-out', async () => {
    const person = await shop.addPerson('member', `${kind}@shop.test`)
    const stream = await listen(person)
    expect(await stream.next()).toEqual(unread(0))
    await person.page('DELETE', '/app/api/session')
    await tell(person)
    expect(await stream.next()).toBeUndefined()
    expect((await listen(person)).status).toBe(401)
    await until(() => service.clock.sleepers() === 0)
  })

  test('the watcher stops when there are no listeners, and starts again for the next', async () => {
    for (let round = 0; round < 2; round += 1) {
      const stream = await listen(member)
      expect(await stream.next()).toEqual(unread(0))
      stream.close()
      await until(() => service.clock.sleepers() === 0)
    }
  })
})

test('streams end when the service stops', async () => {
  const service = await startTestService('postgres', { worker: false })
  const { admin } = await service.addOrganization('shop')
  const stream = await listenToEvents(service, admin, { url })
  expect(await stream.next()).toEqual({ event: 'unread', data: { unreadCount: 0 } })
  const stopped = service.stop()
  expect(await stream.next()).toBeUndefined()
  await stopped
})
