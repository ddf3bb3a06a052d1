import { apiKey, type Service, startService } from '../api/service.ts'
import { requestMessage } from '../load/connection.ts'
import { boundGoal, type Measurement } from '../report.ts'
import { quantile } from '../statistics.ts'
import { createAutomations, type References } from './create-automations.ts'
import { startPulse } from './pulse.ts'
import type { ReadOutcome } from './read-outcome.ts'

const count = 1000
/** Enough time to create them. The rest is used to measure the idle service. */
const createWithinMs = { shared: 30_000, own: 60_000 }
const idleMs = 10_000
const sliceMs = 1000

/**
 * Runs a thousand automations that are due at the same minute on one process that also serves requests. A client sends `GET /api/me`
 * every 20 ms during that time, and before to the idle service for comparison.
 */
export async function measureLoad(options: {
  store: string
  references: References
  start: { dataDirectory: string; databaseUrl?: string }
  readOutcome: ReadOutcome
}): Promise<Measurement[]> {
  const { store, references } = options
  const service = await startService(options.start)
  const pulse = startPulse()
  const message = requestMessage({ path: '/api/me', key: apiKey })
  const askFor = async (durationMs: number) => (await pulse.ask({ port: service.port, message, durationMs })).map(({ tookMs }) => tookMs)
  let measured: { automationIds: string[]; dueAt: Date; idle: number[]; busy: number[] }
  try {
    const dueAt = nextMinute(Date.now() + createWithinMs[references] + idleMs)
    const automationIds = await createAutomations(service, { count, references, dueAt })
    const endedBefore = await countEnded(service)
    await until(dueAt.getTime() - idleMs - sliceMs)
    const idle = await askFor(idleMs)
    await until(dueAt.getTime())
    const busy: number[] = []
    while ((await countEnded(service)) < endedBefore + count) busy.push(...(await askFor(sliceMs)))
    measured = { automationIds, dueAt, idle, busy }
  } finally {
    pulse.stop()
    await service.stop()
  }
  const { automationIds, dueAt, idle, busy } = measured
  const outcome = await options.readOutcome(automationIds, dueAt)
  const what = `${count.toLocaleString('en-US')} automations due at once, ${references} references, ${store}`
  const latency = (name: string, share: number) => ({
    what: `GET /api/me under load, ${references} references, ${store}, ${name}`,
    unit: 'ms' as const,
    ours: quantile(busy, share),
    ceiling: { what: 'the same on the idle service', value: quantile(idle, share) },
  })
  const p99 = latency('p99', 0.99)
  return [
    {
      what: `${what}: ran exactly once, completed, with one event`,
      note: `${outcome.runCount} runs, ${outcome.eventCount} events, ${outcome.queryRunCount} query runs`,
      unit: 'automations',
      ours: outcome.onceCount,
      goal: { text: `= ${count}`, isMet: outcome.onceCount === count && outcome.runCount === count },
    },
    { what: `${what}: until the last has ended`, unit: 'ms', ours: outcome.lastEndedMs },
    latency('p50', 0.5),
    { ...p99, goal: boundGoal({ value: p99.ours, below: 100, unit: 'ms' }) },
    latency('max', 1),
  ]
}

const nextMinute = (afterMs: number) => new Date(Math.ceil(afterMs / 60_000) * 60_000)

const until = (timeMs: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, timeMs - Date.now())))

/** Ended agent runs, from the metrics of the process. Reading the list would add load. */
async function countEnded(service: Service): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${service.port}/metrics`)
  const text = await answer.text()
  const counts = text.matchAll(/^querypost_agent_run_duration_seconds_count\{[^}]*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, value]) => sum + Number(value), 0)
}
