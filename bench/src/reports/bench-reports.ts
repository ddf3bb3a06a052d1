import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startMailServer, startPostgresServer } from '@querypost/server/testing'
import { callApi, signIn } from '../api/caller.ts'
import { apiKey, type Service, startService } from '../api/service.ts'
import { startPulse } from '../automations/pulse.ts'
import { secondsOfMainThread } from '../delivery/processor-time.ts'
import { startCeiling } from '../load/ceiling.ts'
import { requestMessage } from '../load/connection.ts'
import { boundGoal, type Measurement, ratioGoal } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { quantile } from '../statistics.ts'

export const benchReports = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const recipientCount = 1_000
const storeCount = 50
const idleMs = 10_000
const sliceMs = 1_000

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

/** Keeps a process and its threads on these processors. Processes that it starts later stay there, too. */
const pin = (pid: number, processors: string) => promisify(execFile)('taskset', ['-apc', processors, String(pid)])

const growthOf = (during: number[], before: number[]) => quantile(during, 0.99) / quantile(before, 0.99)

/**
 * Sends a board to a thousand recipients, each with the values of one of fifty stores. During that time, and before on the idle service,
 * a client sends `GET /api/me` every 20 ms. Another sends a request to a bare server at the same pace, which shows how much of a delay
 * comes from sharing the processors: with PostgreSQL, the mail server and the queries. The service has sent another such report before:
 * what it does only once, as compiling a route's schema, is not part of the comparison.
 */
async function measure(world: World, processes: Processes): Promise<Measurement[]> {
  const postgres = await startPostgresServer({ durable: true })
  const mail = await startMailServer()
  const client = new pg.Client(postgres.url)
  await client.connect()
  const start = (role: string) =>
    startService({
      dataDirectory: path.join(world.folder, processes.replaceAll(' ', '-')),
      databaseUrl: postgres.url,
      environment: { SMTP_URL: mail.url, SMTP_FROM: 'reports@querypost.test', ROLE: role },
    })
  const service = await start(processes === 'one process' ? 'all' : 'api')
  const worker = processes === 'one process' ? undefined : await start('worker')
  const bare = await startCeiling({ kind: 'node:http', headers: {}, body: Buffer.from('{}') })
  const pulses = [startPulse(), startPulse()] as const
  const message = requestMessage({ path: '/api/me', key: apiKey })
  const askFor = async (durationMs: number) => {
    const ports = [service.port, bare.port]
    const [ours, others] = await Promise.all(pulses.map((pulse, index) => pulse.ask({ port: ports[index]!, message, durationMs })))
    return { ours: ours!, bare: others! }
  }
  try {
    if (processes === 'a processor each') {
      const beside = [service.pid, bare.pid, ...pulses.map(({ pid }) => pid)]
      await Promise.all([...beside.map((pid) => pin(pid, '0')), ...[worker!.pid, process.pid].map((pid) => pin(pid, '1'))])
    }
    const pages = await signIn(service)
    const first = await createReport(service, pages, 'Revenue')
    // Every address is asked to confirm first.
    await mail.received(recipientCount)
    await client.query(`update report_addresses set state = 'confirmed', confirmed_at = now()`)
    await pages.post(`/app/api/automations/${first.automationId}/runs`, {})
    await mail.received(2 * recipientCount)
    const { automationId, shortId } = await createReport(service, pages, 'Orders')
    const idle = await askFor(idleMs)
    const cpuBefore = secondsOfMainThread(service.pid)
    const startedMs = performance.now()
    await pages.post(`/app/api/automations/${automationId}/runs`, {})
    const all = mail.received(3 * recipientCount).then(() => performance.now() - startedMs)
    let isSent = false
    void all.then(() => (isSent = true))
    const busy: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
    while (!isSent) {
      const slice = await askFor(sliceMs)
      busy.ours.push(...slice.ours)
      busy.bare.push(...slice.bare)
    }
    const lastSentMs = await all
    const cpuSeconds = secondsOfMainThread(service.pid) - cpuBefore
    const perRecipient = Map.groupBy(mail.emails.slice(2 * recipientCount), ({ to }) => to.join())
    const onceCount = [...perRecipient.values()].filter(({ length }) => length === 1).length
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::integer as count from runs join query_references as reference on reference.query_id = runs.query_id
       where reference.short_id = $1`,
      [shortId],
    )
    const queryRunCount = rows[0]!.count
    const what = `A board to ${recipientCount.toLocaleString('en-US')} recipients with ${storeCount} distinct values, ${processes}`
    const latency = (name: string, share: number): Measurement => ({
      what: `GET /api/me while reports are sent, ${processes}, ${name}`,
      unit: 'ms',
      ours: quantile(busy.ours, share),
      ceiling: { what: 'the same on the idle service', value: quantile(idle.ours, share) },
    })
    const p99 = latency('p99', 0.99)
    // A request goes through several processes, each of which may have to wait for a processor. So growth is compared, not the delay.
    const [growthOfOurs, growthOfBare] = [growthOf(busy.ours, idle.ours), growthOf(busy.bare, idle.bare)]
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
        ours: queryRunCount,
        goal: { text: `= ${storeCount}`, isMet: queryRunCount === storeCount },
      },
      { what: `${what}: until the last is sent`, unit: 'ms', ours: lastSentMs },
      { what: `${what}: of the thread that serves requests`, unit: 'CPU s', ours: cpuSeconds },
      latency('p50', 0.5),
      { ...p99, goal: boundGoal({ value: p99.ours, below: 100, unit: 'ms' }) },
      {
        what: `Growth of that p99, ${processes}`,
        unit: 'times',
        ours: growthOfOurs,
        ceiling: { what: 'growth of the p99 of a bare server', value: growthOfBare },
        goal: ratioGoal({ ours: growthOfOurs, ceiling: growthOfBare, atMost: 1.2 }),
      },
      latency('max', 1),
      {
        what: `A bare server while reports are sent, ${processes}, p99`,
        unit: 'ms',
        ours: quantile(busy.bare, 0.99),
        ceiling: { what: 'the same before', value: quantile(idle.bare, 0.99) },
      },
    ]
  } finally {
    for (const pulse of pulses) pulse.stop()
    bare.stop()
    await service.stop()
    await worker?.stop()
    await client.end()
    await mail.close()
    await postgres.stop()
    if (processes === 'a processor each') await pin(process.pid, `0-${availableParallelism() - 1}`)
  }
}

/** An automation with a report of a board with one tile, which has the figures of a store. */
async function createReport(service: Service, pages: Pages, figure: string): Promise<{ automationId: string; shortId: string }> {
  const { items } = await callApi<{ items: { analyticalDatabaseConfigId: string }[] }>(service, '/api/queries?limit=1')
  const { analyticalDatabaseConfigId } = items[0]!
  const sql = `select {{store}} as store, month, month * 100 as ${figure} from range(1, 13) as months (month)`
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
  const entries = Array.from({ length: recipientCount }, (_, number) => ({
    recipient: { kind: 'address', email: `manager-${number}@stores.test` },
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
  limitMinutes: 15,
  makeWorld,
  parts: {
    together: (world: World) => measure(world, 'one process'),
    apart: (world: World) => measure(world, 'API and worker apart'),
    // With a single processor there is nothing to share out.
    ...(availableParallelism() > 1 && { pinned: (world: World) => measure(world, 'a processor each') }),
  },
}
