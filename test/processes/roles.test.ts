import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { abandonedReason, diedNote } from '@querypost/server/background-work'
import { systemClock } from '@querypost/server/ports'
import { hang, respond } from '@querypost/server/testing'
import { untilNothingPending } from '../faults/deliveries.ts'
import { type HealthyReceiver, startHealthyReceiver } from '../faults/healthy-receiver.ts'
import { expireLeasesOf, untilDisconnected } from '../faults/lease-log.ts'
import { until } from '../faults/until.ts'
import { type Endpoint, type NamedProcess, startWorld, type World } from '../faults/world.ts'
import { startBalancer } from './balancer.ts'
import { claimsOf, expireClaimsOf, keepClaimLog } from './claim-log.ts'
import { closeGate } from './gate.ts'
import { startLoad } from './load.ts'
import { writeNextMigrations } from './next-migrations.ts'

/** Two API processes and two workers on one PostgreSQL. Starting one takes CPU seconds, so each test reuses those of the one before. */
let world: World
let receiver: HealthyReceiver
let endpoint: Endpoint
let apis: NamedProcess[]
let workers: NamedProcess[]
let references: { shortId: string; currentQuery: { id: string } }[]
let isHanging = false

beforeAll(async () => {
  world = await startWorld({
    postgresUrl: inject('postgresUrl'),
    isEmpty: true,
    environment: { BASE_URL: 'http://querypost.test' },
    // Long enough for the balancer to notice, even on a busy machine.
    apiEnvironment: { DRAIN_SECONDS: '3' },
    isApart: true,
    together: ['api', 'worker', 'worker'],
  })
  await keepClaimLog(world.store.db)
  receiver = await startHealthyReceiver({ ...world, answer: () => (isHanging ? hang : respond(204)) })
  apis = [world.api, world.others[0]!]
  workers = world.others.slice(1)
  endpoint = await world.addEndpoint({ url: receiver.urlOf('/') })
  const { body } = await world.api.api('GET', '/api/queries/refs')
  references = (body as { items: typeof references }).items
})
afterAll(async () => {
  await world?.close()
  await receiver?.close()
})

const arrivals = () => Map.groupBy(receiver.requests, ({ headers }) => headers['svc-webhook-id']!)

async function addAutomation(shortId: string): Promise<string> {
  const { status, body } = await world.page('POST', '/app/api/automations', {
    name: `Automation over ${shortId}`,
    instructions: 'Tell what is new.',
    references: [shortId],
    schedule: { cron: '0 0 1 1 *', timeZone: 'UTC' },
    enabled: true,
  })
  expect(status).toBe(201)
  return (body as { id: string }).id
}

async function untilRunsEnded(table: 'runs' | 'agent_runs') {
  await until(async () => {
    const { rows } = await sql`
      select from ${sql.table(table)} where status in ('pending', 'running') limit 1`.execute(world.store.db)
    return rows.length === 0
  })
}

const portOf = ({ baseUrl }: NamedProcess) => new URL(baseUrl).port

test('processes that start together on an empty server share one first start', async () => {
  expect(references).toHaveLength(11)
  const me = await world.api.api('GET', '/api/me')
  expect(me.status).toBe(200)
  for (const api of apis) expect(await api.api('GET', '/api/me')).toEqual(me)
  for (const worker of workers) {
    expect((await fetch(`${worker.baseUrl}/readyz`)).status).toBe(200)
    expect((await worker.api('GET', '/api/me')).status).toBe(404)
  }
})

test('each run, due time and delivery is handled once, by one worker', async () => {
  const { db } = world.store
  const asked = references.map(({ currentQuery }, index) =>
    apis[index % apis.length]!.api('POST', `/api/queries/${currentQuery.id}/refresh`),
  )
  for (const { status } of await Promise.all(asked)) expect(status).toBe(202)
  await untilRunsEnded('runs')
  const automationIds = await Promise.all(references.map(({ shortId }) => addAutomation(shortId)))
  await sql`update automations set next_due_at = ${systemClock.now()} where id = any (${automationIds})`.execute(db)
  await until(async () => {
    const { rows } = await sql`
      select from agent_runs where automation_id = any (${automationIds}) and ended_at is not null`.execute(db)
    return rows.length >= automationIds.length
  })
  await untilRunsEnded('agent_runs')
  await untilNothingPending(db, [endpoint])

  const runs = await db.selectFrom('agent_runs').select(['id', 'automation_id', 'status', 'trigger', 'event_id']).execute()
  expect(runs.map(({ automation_id: id }) => id!).toSorted()).toEqual(automationIds.toSorted())
  expect(new Set(runs.map(({ status, trigger }) => `${status} by ${trigger}`))).toEqual(new Set(['completed by schedule']))
  expect(receiver.requests.map(({ headers }) => headers['svc-webhook-id']!).toSorted()).toEqual(
    runs.map((run) => run.event_id!).toSorted(),
  )
  const names = new Set(workers.map(({ name }) => name))
  for (const kind of ['runs', 'agent_runs'] as const) {
    const claims = await claimsOf(db, kind)
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(kind)}`.execute(db)
    expect([...claims.keys()].toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
    for (const claimers of claims.values()) expect([1, true]).toEqual([claimers.length, names.has(claimers[0]!)])
  }
})

test('work of killed processes is finished by others', async () => {
  const { db } = world.store
  const [ofRun, ofAgent, ofLater] = references as [(typeof references)[0], (typeof references)[0], (typeof references)[0]]
  const automationId = await addAutomation(ofAgent.shortId)
  const gate = await closeGate(db, world.databaseUrl)
  await gate.holdUp('runs', 'query_id', ofRun.currentQuery.id)
  await gate.holdUp('agent_runs', 'automation_id', automationId)
  isHanging = true
  const before = receiver.requests.length
  const run = (await apis[1]!.api('POST', `/api/queries/${ofRun.currentQuery.id}/refresh`)).body as { id: string }
  const agentRun = (await world.page('POST', `/app/api/automations/${automationId}/runs`)).body as { id: string }
  const sent = (await world.page('POST', `/app/api/webhook-endpoints/${endpoint.id}/test`)).body as { eventId: string }
  await gate.untilHeld(2)
  await receiver.untilReceived(before + 1)

  // Each of the three is claimed by a worker. An API process is killed with them.
  const killed = [...workers, apis[1]!]
  await Promise.all(killed.map((each) => each.stop('SIGKILL')))
  const names = killed.map(({ name }) => name)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = any (${names})`.execute(db)
  for (const name of names) await untilDisconnected(db, name)

  // Without any worker the service still answers and reports how long work has waited.
  const later = await world.api.api('POST', `/api/queries/${ofLater.currentQuery.id}/refresh`)
  expect(later).toMatchObject({ status: 202, body: { status: 'pending' } })
  const waiting = async () => {
    const metrics = await (await fetch(`${world.api.baseUrl}/metrics`)).text()
    return Number(/^querypost_waiting_seconds\{work="runs"\} (.*)$/m.exec(metrics)![1])
  }
  await until(async () => (await waiting()) > 0)
  expect((await fetch(`${world.api.baseUrl}/readyz`)).status).toBe(200)

  isHanging = false
  await gate.open()
  const now = systemClock.now()
  await Promise.all([
    expireClaimsOf(db, { processes: names, now }),
    expireLeasesOf(db, { processes: names, now }),
  ])
  const [api, ...others] = await Promise.all([
    world.startApi({ port: portOf(apis[1]!) }),
    ...workers.map((worker) => world.startWorker({ port: portOf(worker) })),
  ])
  apis[1] = api
  workers = others
  await untilRunsEnded('runs')
  await untilRunsEnded('agent_runs')
  await untilNothingPending(db, [endpoint])

  const ended = await db.selectFrom('runs').select(['status', 'failure_reason']).where('id', '=', run.id).executeTakeFirst()
  expect(ended).toEqual({ status: 'failed', failure_reason: abandonedReason })
  expect((await claimsOf(db, 'runs')).get(run.id)).toHaveLength(1)
  expect((await world.page('GET', `/app/api/runs/${(later.body as { id: string }).id}`)).body).toMatchObject({ status: 'completed' })
  expect(await waiting()).toBe(0)

  const restarted = await db.selectFrom('agent_runs').selectAll().where('id', '=', agentRun.id).executeTakeFirstOrThrow()
  expect(restarted).toMatchObject({ status: 'completed', attempt_count: 2 })
  const { rows: notes } = await sql`
    select from chat_messages where agent_run_id = ${agentRun.id} and content::text like ${`%${diedNote}%`}`.execute(db)
  expect(notes).toHaveLength(1)
  expect(arrivals().get(restarted.event_id!)).toHaveLength(1)
  // The receiver got the event once before, without answering.
  expect(arrivals().get(sent.eventId)).toHaveLength(2)
})

test('a rolling upgrade drops no request, loses no run and sends no event twice', async () => {
  const { db } = world.store
  const nextMigrations = await writeNextMigrations(world)
  const [ofAutomation, ...others] = references as [(typeof references)[0], ...typeof references]
  const automationId = await addAutomation(ofAutomation.shortId)
  const balancer = await startBalancer(apis.map(({ baseUrl }) => baseUrl))
  const queryIds = others.map(({ currentQuery }) => currentQuery.id)
  const load = await startLoad(balancer, { queryIds, endpointId: endpoint.id, automationId })
  const environment = {
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('next-version.ts', import.meta.url))}`,
    NEXT_MIGRATIONS: nextMigrations,
  }
  const moves = () => until(async () => load.runIds.length > 0 && load.agentRunIds.length > 0 && load.eventIds.length > 0)
  await moves()
  // Workers first: API processes may create new kinds of work only when all workers know them.
  for (const [index, worker] of workers.entries()) {
    expect(await worker.stop('SIGTERM')).toEqual({ code: 0, signal: null })
    workers[index] = await world.startWorker({ port: portOf(worker), environment })
  }
  for (const [index, api] of apis.entries()) {
    expect(await api.stop('SIGTERM')).toEqual({ code: 0, signal: null })
    apis[index] = await world.startApi({ port: portOf(api), environment })
    await balancer.untilSeen(api.baseUrl, true)
  }
  await load.stop()
  await balancer.close()
  await untilRunsEnded('runs')
  await untilNothingPending(db, [endpoint])

  expect(load.failures).toEqual([])
  const runs = await db.selectFrom('runs').select(['id', 'status', 'failure_reason']).where('id', 'in', load.runIds).execute()
  expect(runs.filter(({ status }) => status !== 'completed')).toEqual([])
  expect(runs).toHaveLength(load.runIds.length)
  const agentRuns = await db.selectFrom('agent_runs').selectAll().where('id', 'in', load.agentRunIds).execute()
  expect(agentRuns.filter(({ status }) => status !== 'completed').map((each) => each.failure_reason)).toEqual([])
  const eventIds = [...load.eventIds, ...agentRuns.map((each) => each.event_id!)]
  expect(eventIds.filter((id) => arrivals().get(id)?.length !== 1)).toEqual([])
  const { rows } = await sql<{ name: string }>`
    select name from schema_migrations where name like '9%' order by name`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual((await readdir(nextMigrations)).toSorted())
  for (const each of [...apis, ...workers]) expect(each.output()).not.toMatch(/"level":[56]0/)
  // Four processes start one after another. The limit only guards against hanging.
}, 300_000)

test('a process of the previous version works on the newer schema and logs a warning', async () => {
  const older = await world.startApi()
  expect(older.output()).toContain('schema is newer than this version')
  expect(older.output()).toContain('9000-next.sql')
  const { id } = references[1]!.currentQuery
  expect((await older.api('POST', `/api/queries/${id}/refresh`)).status).toBe(202)
  await untilRunsEnded('runs')
  expect((await older.api('GET', `/api/queries/${id}/result`)).status).toBe(200)
})
