import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startPostgresServer } from '@querypost/server/testing'
import { callApi, signIn } from '../api/caller.ts'
import { apiKey, type Service, startService } from '../api/service.ts'
import { type Response, startPulse } from '../automations/pulse.ts'
import { childrenOf, parentOf, secondsOfMainThread } from '../delivery/processor-time.ts'
import { startCeiling } from '../load/ceiling.ts'
import { requestMessage } from '../load/connection.ts'
import { makeBackendPin, pin } from '../load/pin.ts'
import { findSlowSpells, type GaugeSample, outsideOf, startProcessorGauge } from '../load/processor-gauge.ts'
import { boundGoal, type Measurement, ratioGoal } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { quantile, sum } from '../statistics.ts'
import { type Arrivals, startMailReceiver } from './mail-receiver.ts'

export const benchReports = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const recipientCount = 1_000
const storeCount = 50
/** The service has sent a report before: what it does only once, as compiling a route's schema, is not part of the comparison. */
const warmUpCount = 200
const roundCount = 2
/** About as long as a report takes at the default pace. */
const idleMs = 60_000
const sliceMs = 1_000
const everyMs = 10

type Pages = Awaited<ReturnType<typeof signIn>>

interface World {
  folder: string
  close(): Promise<void>
}

async function makeWorld(): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-bench-'))
  return { folder, close: () => rm(folder, { recursive: true, force: true }) }
}

type Processes = 'one process' | 'API and worker apart' | 'a processor each'

interface Phase {
  ours: Response[]
  bare: Response[]
  speed: GaugeSample[]
  /** Processor time of the thread that serves requests. */
  cpuSeconds: number
}

const p99 = (responses: readonly Response[]) => quantileOf(responses, 0.99)
const quantileOf = (responses: readonly Response[], share: number) => quantile(responses.map(({ tookMs }) => tookMs), share)

/**
 * Sends a board to a thousand recipients, each with the values of one of fifty stores, in turns with an idle service, which is measured
 * before the first report and after each. All the time, a client sends 100 requests `GET /api/me` a second, and another sends as many to a
 * bare server, which shows how much of a delay comes from sharing the processors: with PostgreSQL, the mail server and the queries.
 */
async function measure(world: World, processes: Processes): Promise<Measurement[]> {
  const postgres = await startPostgresServer({ durable: true })
  const mail = startMailReceiver()
  const { url: mailUrl } = await mail.ask({ since: 0 })
  const client = new pg.Client(postgres.url)
  await client.connect()
  const start = (role: string) =>
    startService({
      dataDirectory: path.join(world.folder, processes.replaceAll(' ', '-')),
      databaseUrl: postgres.url,
      environment: { SMTP_URL: mailUrl, SMTP_FROM: 'reports@querypost.test', ROLE: role },
    })
  const service = await start(processes === 'one process' ? 'all' : 'api')
  const worker = processes === 'one process' ? undefined : await start('worker')
  const bare = await startCeiling({ kind: 'node:http', headers: {}, body: Buffer.from('{}') })
  const pulses = [startPulse(), startPulse()] as const
  const gauge = startProcessorGauge()
  const message = requestMessage({ path: '/api/me', key: apiKey })
  const isPinned = processes === 'a processor each'
  const pinBackends = isPinned ? makeBackendPin(client, { pid: service.pid, processors: '0' }) : undefined

  /** In slices, until `isOver` says so after one of them. */
  async function askUntil(isOver: () => boolean | Promise<boolean>): Promise<Phase> {
    const phase: Phase = { ours: [], bare: [], speed: [], cpuSeconds: 0 }
    const cpuBefore = secondsOfMainThread(service.pid)
    do {
      await pinBackends?.()
      const ports = [service.port, bare.port]
      const asked = pulses.map((pulse, index) => pulse.ask({ port: ports[index]!, message, durationMs: sliceMs, everyMs }))
      const [speed, ours, others] = await Promise.all([gauge.ask({ durationMs: sliceMs }), ...asked])
      phase.ours.push(...ours!)
      phase.bare.push(...others!)
      phase.speed.push(...speed)
    } while (!(await isOver()))
    phase.cpuSeconds = secondsOfMainThread(service.pid) - cpuBefore
    return phase
  }
  function askIdle(): Promise<Phase> {
    const endMs = performance.now() + idleMs
    return askUntil(() => performance.now() >= endMs)
  }

  let seenCount = 0
  /** Resolves with the recipients once `count` e-mails have arrived that were not seen before. */
  async function sendReport(pages: Pages, automationId: string, count: number) {
    const startedMs = Date.now()
    await pages.post(`/app/api/automations/${automationId}/runs`, {})
    let arrivals: Arrivals
    const phase = await askUntil(async () => (arrivals = await mail.ask({ since: seenCount })).to.length >= count)
    const { to, lastAtMs } = arrivals!
    seenCount += to.length
    return { phase, to, lastSentMs: lastAtMs - startedMs }
  }

  try {
    if (isPinned) {
      const beside = [service.pid, bare.pid, gauge.pid, ...pulses.map(({ pid }) => pid)]
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const postmaster = parentOf(rows[0]!.pid)
      const others = [worker!.pid, mail.pid, process.pid, postmaster, ...childrenOf(postmaster)]
      await Promise.all([...beside.map((pid) => pin(pid, '0')), ...others.map((pid) => pin(pid, '1'))])
    }
    const pages = await signIn(service)
    await confirmAddresses(client)
    const warmUp = await createReport(service, pages, { figure: 'Revenue', count: warmUpCount })
    await sendReport(pages, warmUp.automationId, warmUpCount)
    const idle: Phase[] = []
    const sent: Awaited<ReturnType<typeof sendReport>>[] = []
    const queryRunCounts: number[] = []
    for (let round = 1; round <= roundCount; round++) {
      const { automationId, shortId } = await createReport(service, pages, { figure: `Orders ${round}`, count: recipientCount })
      idle.push(await askIdle())
      sent.push(await sendReport(pages, automationId, recipientCount))
      queryRunCounts.push(await countRuns(client, shortId))
    }
    idle.push(await askIdle())
    return describe(processes, { idle, sent, queryRunCounts })
  } finally {
    for (const pulse of pulses) pulse.stop()
    gauge.stop()
    bare.stop()
    await service.stop()
    await worker?.stop()
    await client.end()
    mail.stop()
    await postgres.stop()
    if (isPinned) await pin(process.pid, `0-${availableParallelism() - 1}`)
  }
}

function describe(
  processes: Processes,
  { idle, sent, queryRunCounts }: { idle: Phase[]; sent: { phase: Phase; to: string[]; lastSentMs: number }[]; queryRunCounts: number[] },
): Measurement[] {
  const busy = sent.map(({ phase }) => phase)
  const onceCount = Math.min(...sent.map(({ to }) => [...Map.groupBy(to, (each) => each).values()].filter(({ length }) => length === 1).length))
  const what = `A board to ${recipientCount.toLocaleString('en-US')} recipients with ${storeCount} distinct values, ${processes}`
  const perRequest = (phases: Phase[]) => (sum(phases.map(({ cpuSeconds }) => cpuSeconds)) * 1000) / sum(phases.map(({ ours }) => ours.length))
  const spells = findSlowSpells([...idle, ...busy].flatMap(({ speed }) => speed))
  const atFullSpeed = (phase: Phase): Phase => ({ ...phase, ours: outsideOf(spells, phase.ours), bare: outsideOf(spells, phase.bare) })
  return [
    {
      what: `${what}: got exactly one e-mail`,
      unit: 'recipients',
      ours: onceCount,
      goal: { text: `= ${recipientCount}`, isMet: onceCount === recipientCount },
    },
    {
      what: `${what}: query runs`,
      unit: 'runs',
      ours: Math.max(...queryRunCounts),
      goal: { text: `= ${storeCount}`, isMet: queryRunCounts.every((count) => count === storeCount) },
    },
    { what: `${what}: until the last is sent`, unit: 'ms', ours: Math.max(...sent.map(({ lastSentMs }) => lastSentMs)) },
    {
      what: `Processor time of the thread that serves requests, divided by requests, ${processes}`,
      unit: 'CPU ms',
      ours: perRequest(busy),
      ceiling: { what: 'the same on the idle service', value: perRequest(idle) },
    },
    ...compareLatency(processes, { busy, idle }),
    ...compareAtFullSpeed(processes, { busy: busy.map(atFullSpeed), idle: idle.map(atFullSpeed) }),
  ]
}

/** Fewer have no p99. */
const responsesMin = 500

/** Phases in which the processors were slow nearly all the time are left out. */
function compareAtFullSpeed(processes: Processes, phases: { busy: Phase[]; idle: Phase[] }): Measurement[] {
  const isLongEnough = ({ ours, bare }: Phase) => Math.min(ours.length, bare.length) >= responsesMin
  const [busy, idle] = [phases.busy.filter(isLongEnough), phases.idle.filter(isLongEnough)]
  const ours = busy.length + idle.length
  const count = {
    what: `Phases in which the processors were at full speed long enough, ${processes}`,
    unit: 'phases' as const,
    ours,
    ceiling: { what: 'all', value: phases.busy.length + phases.idle.length },
  }
  return busy.length > 0 && idle.length > 0 ? [count, ...compareLatency(`${processes}, processors at full speed`, { busy, idle })] : [count]
}

function compareLatency(label: string, { busy, idle }: { busy: Phase[]; idle: Phase[] }): Measurement[] {
  const all = (phases: Phase[], of: 'ours' | 'bare') => phases.flatMap((phase) => phase[of])
  const latency = (name: string, share: number): Measurement => ({
    what: `GET /api/me while reports are sent, ${label}, ${name}`,
    unit: 'ms',
    ours: quantileOf(all(busy, 'ours'), share),
    ceiling: { what: 'the same on the idle service', value: quantileOf(all(idle, 'ours'), share) },
  })
  const ofAll = latency('p99', 0.99)
  const growth = ofAll.ours / ofAll.ceiling!.value
  const growthOfBare = p99(all(busy, 'bare')) / p99(all(idle, 'bare'))
  const idleP99s = idle.map(({ ours }) => p99(ours))
  const inTurn = (phases: Phase[]) => phases.map(({ ours }) => p99(ours).toFixed(1)).join(', ')
  return [
    latency('p50', 0.5),
    latency('p90', 0.9),
    {
      ...ofAll,
      note: `${all(busy, 'ours').length} requests; each report ${inTurn(busy)}; idle ${inTurn(idle)}`,
      goal: ratioGoal({ ours: ofAll.ours, ceiling: ofAll.ceiling!.value, atMost: 1.1 }),
    },
    latency('max', 1),
    {
      what: `Idle phases, ${label}, largest p99`,
      unit: 'ms',
      ours: Math.max(...idleP99s),
      ceiling: { what: 'the smallest: the noise of this run', value: Math.min(...idleP99s) },
    },
    {
      what: `Growth of the p99, ${label}`,
      unit: 'times',
      ours: growth,
      ceiling: { what: 'growth of the p99 of a bare server', value: growthOfBare },
      goal: ratioGoal({ ours: growth, ceiling: growthOfBare, atMost: 1.2 }),
    },
    {
      what: `GET /api/me while reports are sent, ${label}, p99, in absolute terms`,
      unit: 'ms',
      ours: ofAll.ours,
      goal: boundGoal({ value: ofAll.ours, below: 100, unit: 'ms' }),
    },
    {
      what: `A bare server while reports are sent, ${label}, p99`,
      unit: 'ms',
      ours: p99(all(busy, 'bare')),
      ceiling: { what: 'the same in between', value: p99(all(idle, 'bare')) },
    },
  ]
}

const addressOf = (number: number) => `manager-${number}@stores.test`

/** Otherwise each address would be asked first. */
async function confirmAddresses(client: pg.Client): Promise<void> {
  const emails = Array.from({ length: recipientCount }, (_, number) => addressOf(number))
  await client.query(
    `insert into report_addresses (organization_id, email, state, requested_by, requested_at, confirmed_at)
     select organization_id, email, 'confirmed', user_id, now(), now()
     from (select organization_id, user_id from memberships limit 1) as member cross join unnest($1::text[]) as email`,
    [emails],
  )
}

async function countRuns(client: pg.Client, shortId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from runs join query_references as reference on reference.query_id = runs.query_id
     where reference.short_id = $1`,
    [shortId],
  )
  return rows[0]!.count
}

/** An automation with a report of a board with one tile, which has the figures of a store. */
async function createReport(
  service: Service,
  pages: Pages,
  { figure, count }: { figure: string; count: number },
): Promise<{ automationId: string; shortId: string }> {
  const { items } = await callApi<{ items: { analyticalDatabaseConfigId: string }[] }>(service, '/api/queries?limit=1')
  const { analyticalDatabaseConfigId } = items[0]!
  const sql = `select {{store}} as store, month, month * 100 as "${figure}" from range(1, 13) as months (month)`
  const store = { name: 'store', displayName: 'Store', type: 'text', defaultValue: '', description: '' }
  const query = await pages.post<{ id: string }>('/app/api/queries', { sql, analyticalDatabaseConfigId })
  const reference = { queryId: query.id, title: `${figure} by month`, parameters: [store] }
  const { shortId } = await pages.post<{ shortId: string }>('/app/api/references', reference)
  const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 12, height: 6, parameterMapping: { store: 'store' } }
  const board = await pages.post<{ shortId: string }>('/app/api/boards', { title: `${figure} report`, parameters: [store], tiles: [tile] })
  const references = await callApi<{ items: { shortId: string; title: string }[] }>(service, '/api/queries/refs?limit=100')
  const looked = references.items.find(({ title }) => !title.endsWith(' by month'))!
  const automation = { name: `${figure} reports`, instructions: 'Tell me what changed.', references: [looked.shortId] }
  const { id: automationId } = await pages.post<{ id: string }>('/app/api/automations', automation)
  const entries = Array.from({ length: count }, (_, number) => ({
    recipient: { kind: 'address', email: addressOf(number) },
    values: { store: `store ${number % storeCount}` },
  }))
  await pages.post(`/app/api/automations/${automationId}/reports`, {
    content: { kind: 'board', boardShortId: board.shortId },
    target: { kind: 'email', recipients: [] },
    values: { kind: 'list', entries },
  })
  return { automationId, shortId }
}

const benchmark = {
  name: 'reports',
  title: 'Reports to a thousand recipients',
  limitMinutes: 30,
  makeWorld,
  parts: {
    together: (world: World) => measure(world, 'one process'),
    apart: (world: World) => measure(world, 'API and worker apart'),
    // With a single processor there is nothing to share out.
    ...(availableParallelism() > 1 && { pinned: (world: World) => measure(world, 'a processor each') }),
  },
}
