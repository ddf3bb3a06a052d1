import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { abandonedReason } from '@querypost/server/background-work'
import { type MailServer, startMailServer } from '@querypost/server/testing'
import { testPassword } from '../service-process.ts'
import { clockAhead } from './clock-ahead.ts'
import { type HealthyReceiver, startHealthyReceiver } from './healthy-receiver.ts'
import { keepLeaseLengths, leaseLengths } from './lease-lengths.ts'
import { until } from './until.ts'
import { type Endpoint, type NamedProcess, startWorld, type World } from './world.ts'

/**
 * Processes whose machines disagree about the time, on one PostgreSQL whose clock is right: workers that are ten minutes ahead and ten
 * minutes behind, and API processes that are forty days ahead and forty days behind, which is longer than a session and a cursor live.
 *
 * Other workers are simulated by rows: a *live* lease has five more minutes by the store's time, so a clock ten minutes ahead would see
 * it as expired; an *expired* one ended just now, so a clock ten minutes behind would see it as live.
 */
let world: World
let receiver: HealthyReceiver
let mail: MailServer
let endpoint: Endpoint
let behindApi: NamedProcess
let references: { shortId: string; currentQuery: { id: string } }[]

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

beforeAll(async () => {
  mail = await startMailServer()
  world = await startWorld({
    postgresUrl: inject('postgresUrl'),
    environment: { SMTP_URL: mail.url, SMTP_FROM: 'querypost@example.com' },
    apiEnvironment: clockAhead(40 * dayMs),
  })
  behindApi = await world.startApi({ environment: clockAhead(-40 * dayMs) })
  await keepLeaseLengths(world.store.db)
  receiver = await startHealthyReceiver(world)
  endpoint = await world.addEndpoint({ url: receiver.urlOf('/') })
  const { body } = await world.api.api('GET', '/api/queries/refs')
  references = (body as { items: typeof references }).items
})
afterAll(async () => {
  await world?.close()
  await receiver?.close()
  await mail?.close()
})

const inMinutes = (minutes: number) => sql<Date>`store_now() + ${minutes}::float8 * interval '1 minute'`

async function addAutomation(options: { dueInMinutes: number }): Promise<string> {
  const { status, body } = await world.page('POST', '/app/api/automations', {
    name: 'Stock',
    instructions: 'Report what is new.',
    references: [references[0]!.shortId],
    schedule: { cron: '* * * * *', timeZone: 'UTC' },
    enabled: true,
  })
  expect(status).toBe(201)
  const { id } = body as { id: string }
  await sql`update automations set next_due_at = ${inMinutes(options.dueInMinutes)} where id = ${id}`.execute(world.store.db)
  return id
}

type Leased = 'runs' | 'agent_runs' | 'webhook_deliveries'

/** Leases a row to another worker until so many minutes from now, by the store's time. */
async function lease(table: Leased, id: string, minutes: number) {
  const state = table === 'webhook_deliveries' ? sql`state = 'pending'` : sql`status = 'running', started_at = store_now()`
  await sql`
    update ${sql.table(table)} set ${state}, lease_number = lease_number + 1, lease_owner = 'another worker',
      lease_expires_at = ${inMinutes(minutes)}
    where id = ${id}`.execute(world.store.db)
}

async function addLeased(table: Leased, options: { queryIndex: number; minutes: number }): Promise<string> {
  const id = await addPending(table, options.queryIndex)
  await lease(table, id, options.minutes)
  return id
}

async function addPending(table: Leased, queryIndex: number): Promise<string> {
  if (table === 'runs') {
    const { body } = await world.api.api('POST', `/api/queries/${references[queryIndex]!.currentQuery.id}/refresh`)
    return (body as { id: string }).id
  }
  if (table === 'agent_runs') {
    const automationId = await addAutomation({ dueInMinutes: 24 * 60 })
    const { body } = await world.page('POST', `/app/api/automations/${automationId}/runs`)
    return (body as { id: string }).id
  }
  const { body } = await world.page('POST', `/app/api/webhook-endpoints/${endpoint.id}/test`)
  const { eventId } = body as { eventId: string }
  const delivery = await world.store.db.selectFrom('webhook_deliveries').select('id').where('event_id', '=', eventId).executeTakeFirstOrThrow()
  return delivery.id
}

async function addEmail(message: string, minutes: number) {
  await sql`
    insert into notifications (id, organization_id, user_id, kind, message, link, created_at, email_state, email_next_attempt_at)
    select ${`notification ${message}`}, organization_id, user_id, 'run_failed', ${message}, '/', store_now(), 'due', ${inMinutes(minutes)}
    from memberships limit 1`.execute(world.store.db)
}

async function rowOf<Row>(table: string, id: string): Promise<Row> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where id = ${id}`.execute(world.store.db)
  return rows[0]!
}

test('a session and a cursor from one API process are valid at the other', async () => {
  for (const [one, other] of [[world.api, behindApi], [behindApi, world.api]] as const) {
    const signedIn = await fetch(`${one.baseUrl}/app/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@localhost', password: testPassword }),
    })
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
    expect((await fetch(`${other.baseUrl}/app/api/session`, { headers: { cookie } })).status).toBe(200)

    const page = (await one.api('GET', '/api/queries/refs?limit=2')).body as { nextCursor: string }
    const next = await other.api('GET', `/api/queries/refs?limit=2&cursor=${encodeURIComponent(page.nextCursor)}`)
    expect(next.status, JSON.stringify(next.body)).toBe(200)
  }
  const { rows } = await sql<{ isNew: boolean; days: number }>`
    select abs(extract(epoch from store_now() - created_at)) < 60 as "isNew",
      round(extract(epoch from expires_at - store_now()) / 86400)::integer as days
    from sessions`.execute(world.store.db)
  expect(new Set(rows.map(({ isNew, days }) => `${isNew} ${days}`))).toEqual(new Set(['true 30']))
})

test.for([
  ['ahead', 10, 0],
  ['behind', -10, 3],
] as const)('a worker whose clock is ten minutes %s does what is due and leaves the rest', async ([name, skew, queryIndex]) => {
  const { db } = world.store
  const leased = async (minutes: number, index: number) => ({
    run: await addLeased('runs', { queryIndex: queryIndex + index, minutes }),
    agentRun: await addLeased('agent_runs', { queryIndex, minutes }),
    delivery: await addLeased('webhook_deliveries', { queryIndex, minutes }),
  })
  const live = await leased(5, 1)
  const expired = await leased(0, 2)
  const early = await addAutomation({ dueInMinutes: 5 })
  const due = await addAutomation({ dueInMinutes: 0 })
  await addEmail(`early ${name}`, 5)
  await addEmail(`due ${name}`, 0)
  const before = await Promise.all([rowOf('runs', live.run), rowOf('agent_runs', live.agentRun), rowOf('webhook_deliveries', live.delivery)])

  const worker = await world.startWorker({ environment: clockAhead(skew * minuteMs) })
  await until(async () => (await rowOf<{ status: string }>('runs', expired.run)).status !== 'running')
  await until(async () => (await rowOf<{ status: string }>('agent_runs', expired.agentRun)).status === 'completed')
  await until(async () => (await rowOf<{ state: string }>('webhook_deliveries', expired.delivery)).state === 'delivered')
  await until(() => mail.emails.some(({ text }) => text.startsWith(`due ${name}`)))
  const runsOf = (automationId: string) =>
    db.selectFrom('agent_runs').select(['status', 'trigger', 'requested_at']).where('automation_id', '=', automationId).execute()
  await until(async () => (await runsOf(due)).some(({ status }) => status === 'completed'))

  expect(await rowOf('runs', expired.run)).toMatchObject({ status: 'failed', failure_reason: abandonedReason })
  expect(await rowOf('agent_runs', expired.agentRun)).toMatchObject({ attempt_count: 1 })
  const after = await Promise.all([rowOf('runs', live.run), rowOf('agent_runs', live.agentRun), rowOf('webhook_deliveries', live.delivery)])
  expect(after).toEqual(before)
  expect(await runsOf(early)).toEqual([])
  expect(mail.emails.filter(({ text }) => text.startsWith('early'))).toEqual([])
  const { rows } = await sql<{ isSoon: boolean }>`
    select next_due_at <= store_now() + interval '1 minute' as "isSoon" from automations where id = ${due}`.execute(db)
  expect(rows).toEqual([{ isSoon: true }])
  // Its own leases have the usual length, and receivers accept its timestamps.
  await until(async () => (await leaseLengths(db, worker.name)).size === 4)
  expect(await leaseLengths(db, worker.name)).toEqual(
    new Map([['agent_runs', [30]], ['notifications', [180]], ['runs', [30]], ['webhook_deliveries', [30]]]),
  )
  for (const { body, headers } of receiver.requests) new Webhook(endpoint.secret).verify(body, headers)
  expect(worker.output()).toContain("machine clock differs from the store's")
  await worker.stop('SIGKILL')
})
