import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../ports/clock.ts'
import { openPostgres, type Store } from '../../../store/db.ts'
import { manualClock } from '../../../../testing/manual-clock.ts'
import { seededRandom } from '../../../../testing/seeded-random.ts'
import { silentLog } from '../../../../testing/silent-log.ts'
import { openTestStore, ruleKindsOf, storeKinds, type TestStore } from '../../../../testing/store/test-store.ts'
import type { Caller } from '../../../model/caller.ts'
import { addMember, createOrganization, createUser } from '../../people/organizations.ts'
import type { AutomationRunEvent } from '../../../model/event.ts'
import { publishEvent, publishTestEvent } from '../events/publish-event.ts'
import { makeListening, type Listening, listenersMaxOfKey, type ListenerMessage } from './listening.ts'
import { makeListeningSecrets } from './listening-secret.ts'
import { makePositionCodec } from './position.ts'

const clock = manualClock()
const random = seededRandom('listening')
const secretKey = Buffer.alloc(32, 7)
const hourMs = 3600_000

const listeningOn = (store: Store): Listening =>
  makeListening({
    ...store,
    clock,
    random,
    log: silentLog,
    eventPositions: makePositionCodec({ secretKey }),
    listeningSecrets: makeListeningSecrets({ secretKey }),
  })

type Listener = Caller & { keyId: string }
type EventMessage = Extract<ListenerMessage, { kind: 'event' }>

describe.each(storeKinds)('listening on %s', (kind) => {
  let store: TestStore
  let listening: Listening
  let shop: Listener
  let bank: Listener
  const open: { close(): Promise<void> }[] = []

  beforeAll(async () => {
    store = await openTestStore(kind)
    listening = listeningOn(store)
    const found = (name: string) =>
      store.db.transaction().execute(async (tx) => {
        const { id: organizationId } = await createOrganization({ tx, clock, random }, { name })
        const person = { email: `ada@${name}.test`, name: 'Ada', passwordHash: '' }
        const { id: userId } = await createUser({ tx, clock, random }, person)
        return { ...(await addMember({ tx, clock }, { organizationId, userId, role: 'member' })), keyId: `key_${name}` }
      })
    shop = await found('shop')
    bank = await found('bank')
  })
  afterEach(() => Promise.all(open.splice(0).map((listener) => listener.close())))
  afterAll(() => store.close())

  async function listen(input: Parameters<Listening['open']>[1] = {}, { by = shop, at = listening } = {}) {
    const stop = new AbortController()
    const stream = (await at.open(by, input))(stop.signal)
    const next = async () => (await stream.next()).value as ListenerMessage
    const ready = (await next()) as Extract<ListenerMessage, { kind: 'ready' }>
    expect(ready.kind).toBe('ready')
    const listener = {
      ready,
      position: ready.position,
      async next(): Promise<EventMessage> {
        const event = (await next()) as EventMessage
        expect(event.kind).toBe('event')
        listener.position = event.position
        return event
      },
      async ids(count: number) {
        const ids: string[] = []
        while (ids.length < count) ids.push((await listener.next()).event.id)
        return ids
      },
      async close() {
        stop.abort()
        for await (const _ of stream) continue
      },
    }
    open.push(listener)
    return listener
  }

  const content = (type: AutomationRunEvent['type'], summary = 'Up 3 % – 🎉 "quoted" \u2028'): AutomationRunEvent => {
    const run = { automationId: 'a', automationName: 'Umsätze', runId: 'r', chatUrl: 'https://querypost.test/chats/c' }
    return type === 'automation.run.completed'
      ? { type, data: { ...run, summary, imageUrl: null } }
      : { type, data: { ...run, reason: 'Stopped by Ada.' } }
  }
  async function publish({ to = shop, type = 'automation.run.completed' }: { to?: Listener; type?: AutomationRunEvent['type'] } = {}) {
    const { organizationId } = to
    const published = await store.db
      .transaction()
      .execute((tx) => publishEvent({ tx, clock, random }, { organizationId, content: content(type) }))
    store.wakeups.wake('deliveries')
    return published.eventId
  }
  /** In one transaction, so that their order is that of their ids. */
  async function publishMany(count: number) {
    manyCount += 1
    const { rows } = await sql<{ id: string }>`
      insert into webhook_events (id, organization_id, type, created_at, body)
      select 'evt_' || ${manyCount}::text || '_' || lpad(n::text, 3, '0'), ${shop.organizationId},
        'automation.run.failed', ${clock.now()}, '{}'
      from generate_series(1, ${count}::integer) as n
      returning id`.execute(store.db)
    store.wakeups.wake('deliveries')
    return rows.map(({ id }) => id)
  }
  let manyCount = 0

  test.each(ruleKindsOf(kind))("sends new events of the caller's organization and of the requested types", async () => {
    await publish()
    const all = await listen()
    const failures = await listen({ types: ['automation.run.failed'] })
    const other = await listen({}, { by: bank })
    const first = await publish()
    const ofBank = await publish({ to: bank })
    const failed = await publish({ type: 'automation.run.failed' })
    expect(await all.ids(2)).toEqual([first, failed])
    expect(await failures.ids(1)).toEqual([failed])
    expect(await other.ids(1)).toEqual([ofBank])
    expect(all.ready.hasMissedEvents).toBe(false)
    expect(all.ready.secret).not.toBe(other.ready.secret)
  })

  test('sends the stored body, and marks samples', async () => {
    const listener = await listen()
    const real = await publish()
    const { organizationId } = shop
    const input = { organizationId, content: content('automation.run.failed') }
    await store.db.transaction().execute((tx) => publishTestEvent({ tx, clock, random }, input))
    store.wakeups.wake('deliveries')
    const stored = store.db.selectFrom('webhook_events').select('body').where('id', '=', real)
    const { body } = await stored.executeTakeFirstOrThrow()
    const received = await listener.next()
    expect(received.event).toMatchObject({ id: real, body, isTest: false, createdAt: clock.now() })
    expect((await listener.next()).event.isTest).toBe(true)
  })

  test.each(ruleKindsOf(kind))('resumes after any frame, within a batch or across several, without gaps or repeats', async () => {
    const before = await listen()
    const ids = [...(await publishMany(70)), ...(await publishMany(50))]
    const positions: string[] = []
    for (const id of ids) {
      const received = await before.next()
      expect(received.event.id).toBe(id)
      positions.push(received.position)
    }
    await before.close()
    const later = await publishMany(2)
    for (const heard of [1, 49, 50, 51, 100, 119, 120]) {
      const again = await listen({ lastPosition: positions[heard - 1]! })
      expect(await again.ids(ids.length - heard + later.length)).toEqual([...ids.slice(heard), ...later])
      expect(again.ready.hasMissedEvents).toBe(false)
      const next = await publish()
      expect(await again.ids(1)).toEqual([next])
      await again.close()
      later.push(next)
    }
  })

  test.each(ruleKindsOf(kind))('a listener that has received nothing yet resumes from its ready position', async () => {
    const { ready, close } = await listen()
    await close()
    const id = await publish()
    expect(await (await listen({ lastPosition: ready.position })).ids(1)).toEqual([id])
  })

  test.each(ruleKindsOf(kind))('does not resend events older than an hour, but reports that some were missed', async () => {
    const { ready, close } = await listen()
    await close()
    clock.leap(3 * hourMs)
    const quiet = await listen({ lastPosition: ready.position })
    expect(quiet.ready.hasMissedEvents).toBe(false)
    await quiet.close()
    await publish()
    clock.leap(2 * hourMs)
    const young = await publish()
    const again = await listen({ lastPosition: ready.position })
    expect(again.ready.hasMissedEvents).toBe(true)
    expect(await again.ids(1)).toEqual([young])
  })

  test('sends the events since a given time, and then continues', async () => {
    await publish()
    clock.leap(hourMs)
    const since = clock.now().toISOString()
    const past = await publishMany(60)
    const listener = await listen({ since })
    expect(await listener.ids(10)).toEqual(past.slice(0, 10))
    await listener.close()
    const again = await listen({ lastPosition: listener.position })
    expect(await again.ids(50)).toEqual(past.slice(10))
    const next = await publish()
    expect(await again.ids(1)).toEqual([next])
    const tooLongAgo = new Date(clock.now().getTime() - 29 * 24 * hourMs).toISOString()
    const refused = { code: 'invalid_request', details: [{ path: 'since' }] }
    await expect(listen({ since: tooLongAgo })).rejects.toMatchObject(refused)
  })

  test.each(ruleKindsOf(kind))('starts from now, and says so, with a position of another organization or database or an invalid one', async () => {
    const ofBank = await listen({}, { by: bank })
    const elsewhere = makePositionCodec({ secretKey }).encode(
      { organizationId: shop.organizationId, systemIdentifier: 'another' },
      { seen: '1:1:' },
    )
    const ahead = makePositionCodec({ secretKey }).encode(
      { organizationId: shop.organizationId, systemIdentifier: store.systemIdentifier },
      { seen: '999999999999:999999999999:' },
    )
    await publish()
    for (const lastPosition of [ofBank.position, elsewhere, ahead, 'nonsense']) {
      const listener = await listen({ lastPosition })
      expect(listener.ready.hasMissedEvents).toBe(true)
      const id = await publish()
      expect(await listener.ids(1)).toEqual([id])
    }
  })

  test.each(ruleKindsOf(kind))('ends when webhooks are turned off, and is rejected from then on', async () => {
    const ofBank = store.db.updateTable('organizations').where('id', '=', bank.organizationId)
    const switchTo = (isOn: boolean) => ofBank.set({ webhooks_enabled: isOn }).execute()
    const stop = new AbortController()
    const stream = (await listening.open(bank, {}))(stop.signal)
    await stream.next()
    await switchTo(false)
    store.wakeups.wake('deliveries')
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    await expect(listening.open(bank, {})).rejects.toMatchObject({ code: 'forbidden' })
    await switchTo(true)
    await listen({}, { by: bank })
  })

  test('limits the listeners of a key; those of a dead process are forgotten within a minute', async () => {
    const keyId = 'key_busy'
    const by = { ...shop, keyId }
    const listeners = await Promise.all(Array.from({ length: listenersMaxOfKey }, () => listen({}, { by })))
    await expect(listen({}, { by })).rejects.toMatchObject({ code: 'too_many_requests' })
    await listeners[0]!.close()
    await listen({}, { by })
    await Promise.all(listeners.map((listener) => listener.close()))
    await open.pop()!.close()
    const until = new Date(clock.now().getTime() + 60_000)
    const dead = Array.from({ length: listenersMaxOfKey }, (_, index) => ({
      id: `listener_${index}`,
      organization_id: shop.organizationId,
      key_id: keyId,
      listening_until: until,
    }))
    await store.db.insertInto('event_listeners').values(dead).execute()
    await expect(listen({}, { by })).rejects.toMatchObject({ code: 'too_many_requests' })
    clock.leap(60_000)
    await listen({}, { by })
  })
})

describe('several connections to one postgres', () => {
  let store: TestStore
  let shop: Listener
  beforeAll(async () => {
    store = await openTestStore('postgres')
    shop = await store.db.transaction().execute(async (tx) => {
      const { id: organizationId } = await createOrganization({ tx, clock, random }, { name: 'shop' })
      const person = { email: 'ada@shop.test', name: 'Ada', passwordHash: '' }
      const { id: userId } = await createUser({ tx, clock, random }, person)
      return { ...(await addMember({ tx, clock }, { organizationId, userId, role: 'member' })), keyId: 'key_1' }
    })
  })
  afterAll(() => store.close())

  const run = { automationId: 'a', automationName: 'A', runId: 'r', chatUrl: 'https://querypost.test/chats/c' }
  const content = { type: 'automation.run.failed', data: { ...run, reason: 'It failed.' } } as const

  /** Publishes, and keeps the transaction open until told to commit. */
  async function publishLate() {
    const written = Promise.withResolvers<string>()
    const mayCommit = Promise.withResolvers<void>()
    const committed = store.db.transaction().execute(async (tx) => {
      const { organizationId } = shop
      written.resolve((await publishEvent({ tx, clock, random }, { organizationId, content })).eventId)
      await mayCommit.promise
    })
    const id = await written.promise
    return {
      id,
      async commit() {
        mayCommit.resolve()
        await committed
        store.wakeups.wake('deliveries')
      },
    }
  }

  test('sends an event that commits late once, even to a listener that reconnects in between', async () => {
    const listening = listeningOn(store)
    const stop = new AbortController()
    const stream = (await listening.open(shop, {}))(stop.signal)
    const next = async () => (await stream.next()).value as EventMessage
    await next()
    const first = await publishLate()
    const second = await publishLate()
    const third = await publishLate()
    await third.commit()
    const ofThird = await next()
    expect(ofThird.event.id).toBe(third.id)
    await first.commit()
    expect((await next()).event.id).toBe(first.id)
    const again = (await listening.open(shop, { lastPosition: ofThird.position }))(stop.signal)
    await again.next()
    expect(((await again.next()).value as EventMessage).event.id).toBe(first.id)
    await second.commit()
    expect((await next()).event.id).toBe(second.id)
    expect(((await again.next()).value as EventMessage).event.id).toBe(second.id)
    const last = await publishLate()
    await last.commit()
    expect((await next()).event.id).toBe(last.id)
    expect(((await again.next()).value as EventMessage).event.id).toBe(last.id)
    stop.abort()
    for (const each of [stream, again]) for await (const _ of each) continue
  })

  test('sends events published by another process, and accepts positions of another process', async () => {
    const elsewhere = await openPostgres({ url: store.url!, clock: systemClock, log: silentLog })
    const stop = new AbortController()
    const stream = (await listeningOn(store).open(shop, {}))(stop.signal)
    const ready = (await stream.next()).value as ListenerMessage
    const publishElsewhere = async () => {
      const { organizationId } = shop
      const { eventId } = await elsewhere.db
        .transaction()
        .execute((tx) => publishEvent({ tx, clock, random }, { organizationId, content }))
      elsewhere.wakeups.wake('deliveries')
      return eventId
    }
    const id = await publishElsewhere()
    expect(((await stream.next()).value as EventMessage).event.id).toBe(id)
    const again = (await listeningOn(elsewhere).open(shop, { lastPosition: ready.position }))(stop.signal)
    await again.next()
    expect(((await again.next()).value as EventMessage).event.id).toBe(id)
    stop.abort()
    for (const each of [stream, again]) for await (const _ of each) continue
    await elsewhere.close()
  })
})
