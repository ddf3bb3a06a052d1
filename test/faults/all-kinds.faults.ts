import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transientReasons } from '@querypost/server/background-work'
import { eventTypes } from '@querypost/server/model'
import { fraction, systemClock } from '@querypost/server/ports'
import {
  type MailServer,
  type PostgresServer,
  respond,
  seededRandom,
  startMailServer,
  startPostgresServer,
} from '@querypost/server/testing'
import { checkDueTimes, countUnfinished, endSchedules, makeVerifier, startAllKinds } from './all-kinds.ts'
import { type HealthyReceiver, startHealthyReceiver } from './healthy-receiver.ts'
import { reportTable } from './report.ts'
import { until } from './until.ts'
import { type NamedProcess, startWorld, type World } from './world.ts'

let server: PostgresServer
let mail: MailServer
let world: World
let receiver: HealthyReceiver
const verifier = makeVerifier()

beforeAll(async () => {
  server = await startPostgresServer({ durable: true })
  mail = await startMailServer()
  world = await startWorld({
    postgresUrl: server.url,
    isEmpty: true,
    environment: { SMTP_URL: mail.url, SMTP_FROM: 'querypost@example.com' },
  })
  receiver = await startHealthyReceiver({
    ...world,
    // Slow enough that something is always in flight.
    afterMs: 300,
    answer(request) {
      verifier.verify(request)
      return respond(204)
    },
  })
})
afterAll(async () => {
  await world?.close()
  await receiver?.close()
  await mail?.close()
  await server?.stop()
})

/** How many entries there are beyond one per group. */
const countRepeats = (groups: Map<string, unknown[]>) => [...groups.values()].reduce((sum, group) => sum + group.length - 1, 0)

/** Longer than a lease. */
const pauseSeconds = 35
const plan = [
  'kill', 'kill', 'away 1', 'kill all', 'pause', 'kill', 'away 10', 'kill', 'kill', 'away 60', 'kill', 'pause', 'kill', 'away 120', 'kill',
] as const

test('no work is lost when workers are killed and paused and PostgreSQL goes away', async () => {
  const { db } = world.store
  const random = seededRandom('all kinds')
  const upTo = (count: number) => Math.floor(fraction(random) * count)
  const endpoint = await world.addEndpoint({ url: receiver.urlOf('/'), eventTypes: [...eventTypes] })
  verifier.setSecret(endpoint.secret)
  let workers: NamedProcess[] = await Promise.all([world.startWorker(), world.startWorker(), world.startWorker()])
  const load = await startAllKinds(world)
  let killCount = 0
  const outages: number[] = []
  let pauseCount = 0

  /** Waits until more work of every kind is acknowledged, so that each fault hits new work. */
  async function untilMoreIsAcknowledged() {
    const before = [load.runIds.size, load.agentRunIds.size, load.eventIds.size, load.notificationIds.size]
    await until(() =>
      [load.runIds.size, load.agentRunIds.size, load.eventIds.size, load.notificationIds.size].every((size, at) => size > before[at]!),
    )
    await systemClock.sleep(upTo(2_000))
  }
  async function kill(victims: NamedProcess[]) {
    await Promise.all(victims.map((victim) => victim.stop('SIGKILL')))
    killCount += victims.length
    const others = workers.filter((worker) => !victims.includes(worker))
    workers = [...others, ...(await Promise.all(victims.map(() => world.startWorker())))]
  }

  for (const step of plan) {
    await untilMoreIsAcknowledged()
    if (step === 'kill') await kill([workers[upTo(workers.length)]!])
    else if (step === 'kill all') await kill(workers)
    else if (step === 'pause') {
      const paused = workers[upTo(workers.length)]!
      paused.process.kill('SIGSTOP')
      await systemClock.sleep(pauseSeconds * 1000)
      paused.process.kill('SIGCONT')
      pauseCount += 1
    } else {
      const seconds = Number(step.split(' ')[1])
      await server.interrupt(outages.length % 2 === 0 ? 'crash' : 'shutdown')
      await systemClock.sleep(seconds * 1000)
      await server.resume()
      outages.push(seconds)
    }
  }
  await untilMoreIsAcknowledged()
  await load.stop()
  const schedules = await endSchedules(world)
  await until(async () => (await countUnfinished(world)) === 0)
  for (const service of [world.api, ...workers]) expect(service.process.exitCode, service.output()).toBeNull()

  // Query runs: every one has ended, and every completed one has its result.
  const runs = await db.selectFrom('runs').select(['id', 'status', 'failure_reason']).execute()
  const runOf = new Map(runs.map((run) => [run.id, run]))
  const lostRuns = [...load.runIds].filter((id) => !runOf.has(id))
  const failedRuns = runs.filter(({ status }) => status === 'failed')
  expect(failedRuns.map(({ failure_reason: reason }) => reason!).filter((reason) => !transientReasons.includes(reason))).toEqual([])
  const unreadable: string[] = []
  for (const { id, status } of runs) {
    if (status !== 'completed') continue
    const answer = await world.page('GET', `/app/api/runs/${id}/result`)
    if (answer.status !== 200) unreadable.push(`${id} ${answer.status}`)
  }

  // Agent runs: every one has ended and has one event, and every due time has one run.
  const agentRuns = await db.selectFrom('agent_runs').selectAll().where('automation_id', 'is not', null).execute()
  const agentRunIds = new Set(agentRuns.map(({ id }) => id))
  const lostAgentRuns = [...load.agentRunIds].filter((id) => !agentRunIds.has(id))
  const { rows: events } = await sql<{ runId: string; count: number }>`
    select body::jsonb -> 'data' ->> 'runId' as "runId", count(*)::integer as count from webhook_events group by 1`.execute(db)
  const eventCountOf = new Map(events.map(({ runId, count }) => [runId, count]))
  const failedAgentRuns = agentRuns.filter(({ status }) => status === 'failed')
  expect(failedAgentRuns.filter(({ failure_reason: reason }) => !reason)).toEqual([])
  const withoutOneEvent = agentRuns.filter(({ id }) => eventCountOf.get(id) !== 1)
  const dueTimes = load.scheduledIds.map((id) => {
    const scheduled = agentRuns.filter(({ automation_id: automationId, trigger }) => automationId === id && trigger === 'schedule')
    return checkDueTimes(scheduled.map((run) => ({ dueAt: run.due_at!, missedCount: run.missed_count })), schedules.get(id)!)
  })
  const scheduledRuns = agentRuns.filter(({ trigger }) => trigger === 'schedule')

  // Deliveries: every event in the store, and every one that was acknowledged, has arrived.
  const arrivals = Map.groupBy(receiver.requests, ({ headers }) => headers['svc-webhook-id']!)
  const deliveries = await db.selectFrom('webhook_deliveries').select(['event_id', 'state']).execute()
  const deliveredIds = new Set(deliveries.map(({ event_id: id }) => id))
  const lostEvents = [...load.eventIds, ...deliveredIds].filter((id) => !deliveredIds.has(id) || !arrivals.has(id))
  expect(verifier.forged).toEqual([])

  // E-mails: every notification was sent.
  const emails = Map.groupBy(mail.emails, ({ text }) => text.split('\n')[0]!)
  const lostEmails = [...load.notificationIds].filter((id) => !emails.has(id))

  reportTable(
    `Workers killed ${killCount} times, paused for ${pauseSeconds} s ${pauseCount} times; PostgreSQL away ${outages.length} times (${outages.join(' s, ')} s); ${load.refusedCount()} requests refused`,
    ['Kind', 'Acknowledged', 'Ended', 'Lost', 'Repeated'],
    [
      ['query runs', load.runIds.size, `${runs.length - failedRuns.length} completed, ${failedRuns.length} failed with a reason`, lostRuns.length + unreadable.length, 'never'],
      ['automation runs', load.agentRunIds.size, `${agentRuns.length - failedAgentRuns.length} completed, ${failedAgentRuns.length} failed with a reason (with scheduled ones)`, lostAgentRuns.length, `${agentRuns.filter((run) => run.attempt_count > 1).length} begun again`],
      ['due times', dueTimes.reduce((sum, { due }) => sum + due, 0), `in ${scheduledRuns.length} runs`, dueTimes.reduce((sum, { lost }) => sum + lost, 0), dueTimes.reduce((sum, { doubled }) => sum + doubled, 0)],
      ['events', load.eventIds.size + agentRuns.length, `${arrivals.size} delivered`, lostEvents.length, `${countRepeats(arrivals)} delivered again`],
      ['e-mails', load.notificationIds.size, `${emails.size} sent`, lostEmails.length, `${countRepeats(emails)} sent again`],
    ],
  )
  expect({ lostRuns, unreadable, lostAgentRuns, withoutOneEvent, lostEvents, lostEmails }).toEqual({
    lostRuns: [], unreadable: [], lostAgentRuns: [], withoutOneEvent: [], lostEvents: [], lostEmails: [],
  })
  expect(dueTimes).toMatchObject(load.scheduledIds.map(() => ({ lost: 0, doubled: 0 })))
  expect(deliveries.filter(({ state }) => state !== 'delivered')).toEqual([])
}, 1_200_000)
