import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAutomation, getAutomation, runsOf, storeReferenceTo } from '../../../testing/http/automation-requests.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { storeKinds } from '../../../testing/store/test-store.ts'
import { claimDueTimes } from './claim-due-times.ts'
import { endRunsOf, neverStops, textsOf } from '../../../testing/work/automation-runs.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

describe.each(storeKinds)('due times on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let reference: string
  const everyMinute = { cron: '* * * * *', timeZone: 'UTC' }

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    reference = await storeReferenceTo(shop, 'select n from numbers')
  })
  beforeEach(async () => {
    await service.services.db.updateTable('automations').set({ enabled: false, next_due_at: null }).execute()
  })
  afterAll(() => service.stop())

  const claim = () => claimDueTimes(service.services, neverStops)
  const create = (content: Record<string, unknown> = {}) =>
    createAutomation(shop, { references: [reference], schedule: everyMinute, ...content })
  const nextMinute = (from: Date) => new Date(Math.floor(from.getTime() / minuteMs + 1) * minuteMs).toISOString()

  test('a due time starts one run and sets the next due time', async () => {
    const automation = await create()
    await claim()
    expect(await runsOf(shop.admin, automation.id)).toEqual([])
    service.clock.leap(minuteMs)
    await Promise.all([claim(), claim()])
    await claim()
    const runs = await runsOf(shop.admin, automation.id)
    expect(runs).toMatchObject([
      { status: 'pending', trigger: 'schedule', triggerId: automation.id, dueAt: automation.nextDueAt, missedCount: 0, isLate: false },
    ])
    expect(runs).toHaveLength(1)
    expect(await textsOf(service, runs[0]!.id)).toEqual(['Tell me what changed.'])
    expect(await getAutomation(shop.admin, automation.id)).toMatchObject({ nextDueAt: nextMinute(service.clock.now()) })
  })

  test('three missed days give one late run, which says so in its chat', async () => {
    const automation = await create({ schedule: { cron: '0 9 * * *', timeZone: 'Europe/Berlin' } })
    const dueMs = Date.parse(automation.nextDueAt!)
    service.clock.leap(dueMs + 3 * dayMs + 90 * minuteMs - service.clock.now().getTime())
    await claim()
    const [run, ...others] = await runsOf(shop.admin, automation.id)
    expect(others).toEqual([])
    expect(run).toMatchObject({ dueAt: automation.nextDueAt, missedCount: 3, isLate: true })
    expect(await textsOf(service, run!.id)).toEqual([
      'Tell me what changed.',
      `This run started late: it was due at ${automation.nextDueAt}. It also covers 3 more scheduled times missed since then.`,
    ])
    expect((await getAutomation(shop.admin, automation.id)).nextDueAt).toBe(new Date(dueMs + 4 * dayMs).toISOString())
  })

  test('a time that comes due during a run waits for its end, and gives one late run', async () => {
    const automation = await create()
    service.clock.leap(minuteMs)
    await claim()
    const waiting = (await getAutomation(shop.admin, automation.id)).nextDueAt
    service.clock.leap(5 * minuteMs)
    await claim()
    expect(await runsOf(shop.admin, automation.id)).toHaveLength(1)
    expect(await getAutomation(shop.admin, automation.id)).toMatchObject({ nextDueAt: waiting })
    await endRunsOf(service.services.db, automation.id, service.clock.now())
    await claim()
    await claim()
    const [late, ...others] = await runsOf(shop.admin, automation.id)
    expect(late).toMatchObject({ status: 'pending', dueAt: waiting, missedCount: 4, isLate: true })
    expect(others).toHaveLength(1)
  })

  test('paused, deleted and unscheduled automations do not run by themselves', async () => {
    const paused = await create()
    const deleted = await create()
    const unscheduled = await create({ schedule: null })
    await shop.admin.page('PATCH', `/app/api/automations/${paused.id}`, { enabled: false })
    await shop.admin.page('DELETE', `/app/api/automations/${deleted.id}`)
    service.clock.leap(10 * minuteMs)
    await claim()
    for (const { id } of [paused, deleted, unscheduled]) expect(await runsOf(shop.admin, id)).toEqual([])
    // Times that passed while it was paused do not count as missed.
    await shop.admin.page('PATCH', `/app/api/automations/${paused.id}`, { enabled: true })
    service.clock.leap(minuteMs)
    await claim()
    expect(await runsOf(shop.admin, paused.id)).toMatchObject([{ missedCount: 0, isLate: false }])
  })

  test('claims more than fit in one transaction', async () => {
    const created = []
    for (let number = 0; number < 25; number++) created.push(await create())
    service.clock.leap(minuteMs)
    await claim()
    for (const { id } of created) expect(await runsOf(shop.admin, id)).toHaveLength(1)
  })

  test('a failing automation does not block the others, and is retried', async () => {
    const { db } = service.services
    const created = []
    for (let number = 0; number < 12; number++) created.push(await create({ name: number === 3 ? 'Broken' : `Whole ${number}` }))
    await sql
      .raw(`create function refuse_broken() returns trigger language plpgsql as $$
        begin raise exception 'No chat for what is broken.'; end $$;`)
      .execute(db)
    await sql
      .raw(`create trigger refuse_broken before insert on chats for each row when (new.title = 'Broken') execute function refuse_broken()`)
      .execute(db)
    service.clock.leap(minuteMs)
    await claim()
    const counts = await Promise.all(created.map(async ({ id }) => (await runsOf(shop.admin, id)).length))
    expect(counts).toEqual(created.map(({ name }) => (name === 'Broken' ? 0 : 1)))
    await sql.raw('drop trigger refuse_broken on chats').execute(db)
    await sql.raw('drop function refuse_broken').execute(db)
    await claim()
    expect(await runsOf(shop.admin, created[3]!.id)).toMatchObject([{ dueAt: created[3]!.nextDueAt }])
  })

  test('a schedule whose time zone no longer exists runs once more and has no next time', async () => {
    const automation = await create()
    const other = await create()
    await service.services.db
      .updateTable('automations')
      .set({ schedule_time_zone: 'Europe/Atlantis' })
      .where('id', '=', automation.id)
      .execute()
    service.clock.leap(minuteMs)
    await claim()
    expect(await runsOf(shop.admin, automation.id)).toHaveLength(1)
    expect(await runsOf(shop.admin, other.id)).toHaveLength(1)
    expect(await getAutomation(shop.admin, automation.id)).toMatchObject({ enabled: true, nextDueAt: null })
  })

  test('stops claiming when told to stop', async () => {
    const automation = await create()
    service.clock.leap(minuteMs)
    await claimDueTimes(service.services, { isStopping: () => true })
    expect(await runsOf(shop.admin, automation.id)).toEqual([])
  })
})
