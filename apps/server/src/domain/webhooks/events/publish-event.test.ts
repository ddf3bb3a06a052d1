import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../../../testing/manual-clock.ts'
import { seededRandom } from '../../../../testing/seeded-random.ts'
import { openTestStore, ruleKindsOf, storeKinds } from '../../../../testing/store/test-store.ts'
import type { Store } from '../../../store/db.ts'
import { addMember, createOrganization, createUser } from '../../people/organizations.ts'
import type { EndpointState } from '../../../model/endpoint.ts'
import type { AutomationRunEvent, EventContent } from '../../../model/event.ts'
import { definedEvents, type EventType } from '../../../model/event-type.ts'
import { publishEvent, publishTestEvent } from './publish-event.ts'

const completed: AutomationRunEvent = {
  type: 'automation.run.completed',
  data: {
    automationId: 'auto_1',
    automationName: 'Täglicher Umsatz',
    runId: 'arun_1',
    summary: 'Up 3 %\u0000 – "quoted" \\ 🎉 \u2028',
    chatUrl: 'https://querypost.test/chats/k7Rm2QwXn4',
    imageUrl: null,
  },
}

const failed: AutomationRunEvent = {
  type: 'automation.run.failed',
  data: {
    automationId: 'auto_1',
    automationName: 'Täglicher Umsatz',
    runId: 'arun_2',
    chatUrl: 'https://querypost.test/chats/k7Rm2QwXn4',
    reason: 'Stopped by Ada.',
  },
}

describe.each(storeKinds)('publishing on %s', (kind) => {
  const clock = manualClock()
  const random = seededRandom('publishing')
  let store: Store
  let organizationId: string
  let userId: string

  beforeAll(async () => {
    store = await openTestStore(kind, { clock })
    const caller = await store.db.transaction().execute(async (tx) => {
      const organization = await createOrganization({ tx, clock, random }, { name: 'shop' })
      const user = await createUser({ tx, clock, random }, { email: 'ada@shop.test', name: 'Ada', passwordHash: '' })
      return addMember({ tx, clock }, { organizationId: organization.id, userId: user.id, role: 'admin' })
    })
    organizationId = caller.organizationId
    userId = caller.userId
  })
  afterAll(() => store.close())
  beforeEach(async () => {
    await store.db.deleteFrom('webhook_deliveries').execute()
    await store.db.deleteFrom('webhook_events').execute()
    await store.db.deleteFrom('webhook_endpoints').execute()
  })

  async function addEndpoint(
    id: string,
    options: { types?: EventType[]; state?: EndpointState; isDeleted?: boolean; of?: string } = {},
  ) {
    const now = clock.now()
    const isDisabled = options.state === 'disabled'
    await store.db
      .insertInto('webhook_endpoints')
      .values({
        id,
        organization_id: options.of ?? organizationId,
        url: 'https://hooks.example/',
        event_types: options.types ?? ['automation.run.completed', 'automation.run.failed'],
        state: options.state ?? 'enabled',
        disabled_at: isDisabled ? now : null,
        disabled_reason: isDisabled ? 'Disabled by Ada.' : null,
        secret: new Uint8Array([1]),
        created_by: userId,
        created_at: now,
        updated_at: now,
        deleted_at: options.isDeleted ? now : null,
      })
      .execute()
  }
  const publish = (content: AutomationRunEvent) =>
    store.db.transaction().execute((tx) => publishEvent({ tx, clock, random }, { organizationId, content }))
  const deliveries = () =>
    store.db.selectFrom('webhook_deliveries').selectAll().orderBy('endpoint_id').execute()
  const events = () => store.db.selectFrom('webhook_events').selectAll().execute()

  test('writes the envelope of the contract, and one delivery per endpoint, due now', async () => {
    await addEndpoint('we_1')
    await addEndpoint('we_2')
    const published = await publish(completed)
    const [event] = await events()
    expect(event).toMatchObject({ id: published.eventId, type: 'automation.run.completed', organization_id: organizationId })
    expect(published.eventId).toMatch(/^evt_\w{22}$/)
    expect(JSON.parse(event!.body)).toEqual({
      id: published.eventId,
      type: 'automation.run.completed',
      createdAt: clock.now().toISOString(),
      data: completed.data,
    })
    expect(Object.keys(JSON.parse(event!.body) as object)).toEqual(['id', 'type', 'createdAt', 'data'])
    const written = await deliveries()
    expect(written.map(({ endpoint_id }) => endpoint_id)).toEqual(['we_1', 'we_2'])
    expect(written.map(({ id }) => id).sort()).toEqual([...published.deliveryIds].sort())
    for (const delivery of written) {
      expect(delivery).toMatchObject({
        event_id: published.eventId,
        state: 'pending',
        is_test: false,
        requested_by: null,
        attempt_count: 0,
        next_attempt_at: clock.now(),
        lease_owner: null,
        attempts: [],
      })
    }
  })

  test.each(ruleKindsOf(kind))('delivers only to subscribed, existing endpoints of the organization', async () => {
    const other = await store.db
      .transaction()
      .execute((tx) => createOrganization({ tx, clock, random }, { name: 'bank' }))
    await addEndpoint('we_both')
    await addEndpoint('we_failed', { types: ['automation.run.failed'] })
    await addEndpoint('we_completed', { types: ['automation.run.completed'] })
    await addEndpoint('we_deleted', { isDeleted: true })
    await addEndpoint('we_bank', { of: other.id })
    await publish(failed)
    expect((await deliveries()).map(({ endpoint_id }) => endpoint_id)).toEqual(['we_both', 'we_failed'])
  })

  test.each(ruleKindsOf(kind))('gives each of many deliveries its own id, and holds those for disabled endpoints', async () => {
    for (const number of [1, 2, 3, 4, 5, 6]) await addEndpoint(`we_${number}`, { state: number === 5 ? 'disabled' : 'enabled' })
    const published = await publish(completed)
    const written = await deliveries()
    expect(written.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending', 'pending', 'held', 'pending'])
    expect(written.map(({ id }) => id).sort()).toEqual([...published.deliveryIds].sort())
    expect(published.deliveryIds.every((id) => /^dlv_\w{22}$/.test(id))).toBe(true)
    expect((await events()).map(({ id }) => id)).toEqual([published.eventId])
  })

  test.each(ruleKindsOf(kind))('publishes an opt-in event only if someone chose it', async () => {
    const content: EventContent = { type: 'query.run.failed', data: definedEvents['query.run.failed'].sample }
    const publishOptIn = () =>
      store.db.transaction().execute((tx) => publishEvent({ tx, clock, random }, { organizationId, content }))
    await addEndpoint('we_1')
    expect([await publishOptIn(), await events()]).toEqual([undefined, []])
    await addEndpoint('we_2', { types: ['query.run.failed'] })
    const published = await publishOptIn()
    expect((await deliveries()).map(({ id, endpoint_id }) => [id, endpoint_id])).toEqual([[published!.deliveryIds[0], 'we_2']])
  })

  test.each(ruleKindsOf(kind))('holds deliveries for a disabled endpoint', async () => {
    await addEndpoint('we_1', { state: 'disabled' })
    await publish(failed)
    expect(await deliveries()).toMatchObject([{ state: 'held', held_at: clock.now(), next_attempt_at: null }])
  })

  test.each(ruleKindsOf(kind))('delivers a test event only to its endpoint, subscribed or not, enabled or not', async () => {
    await addEndpoint('we_1', { state: 'disabled', types: ['automation.run.failed'] })
    await addEndpoint('we_2')
    await store.db
      .transaction()
      .execute((tx) =>
        publishTestEvent({ tx, clock, random }, { organizationId, endpointId: 'we_1', content: completed }),
      )
    expect(await deliveries()).toMatchObject([{ endpoint_id: 'we_1', state: 'pending', is_test: true }])
  })

  test.each(ruleKindsOf(kind))('a failed transaction leaves neither event nor delivery', async () => {
    await addEndpoint('we_1')
    const failing = store.db.transaction().execute(async (tx) => {
      await publishEvent({ tx, clock, random }, { organizationId, content: failed })
      throw new Error('the run could not be ended')
    })
    await expect(failing).rejects.toThrow('the run could not be ended')
    expect([await events(), await deliveries()]).toEqual([[], []])
  })

  test.each(ruleKindsOf(kind))('with webhooks turned off, the event is written but not delivered', async () => {
    await addEndpoint('we_1')
    const switchTo = (isOn: boolean) =>
      store.db.updateTable('organizations').set({ webhooks_enabled: isOn }).where('id', '=', organizationId).execute()
    await switchTo(false)
    await publish(failed)
    await switchTo(true)
    expect([(await events()).length, await deliveries()]).toEqual([1, []])
  })
})
