import { type Measurement, ratioGoal } from '../report.ts'
import { median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'
import { addBacklog, switchWebhooks } from './backlog.ts'
import { type ArrivalFigures, perSecond, publishToArrival } from './publish-to-arrival.ts'
import { startPublisher } from './publisher.ts'
import type { World } from './world.ts'

const rounds = 3
/** Longer than the timeout of an attempt, so that hanging ones end within it. */
const durationMs = 15_000
const healthyCount = 99
const backlogCount = 100_000
const hangingCount = 1_000
/** More than a worker may send to an endpoint at first. */
const dueToEachHanging = 10

/** Measures how a hanging or busy endpoint affects the others. */
export async function measureIsolation(world: World): Promise<Measurement[]> {
  const healthy = await world.addEndpoints(healthyCount)
  const oneMore = await world.addEndpoints(1)
  const hanging = await world.addEndpoints(1, 'hanging')
  const manyHanging = await world.addEndpoints(hangingCount, 'hanging')
  const busy = await world.addEndpoints(1)
  const publisher = startPublisher()
  const scenario = { publisher, counting: healthy, durationMs }
  const turns = await takeTurns(rounds, {
    alone: () => publishToArrival(world, { ...scenario, endpoints: [...healthy, ...oneMore] }),
    hanging: () => publishToArrival(world, { ...scenario, endpoints: [...healthy, ...hanging] }),
    async manyHanging() {
      await switchWebhooks(world.sql, manyHanging, false)
      await addBacklog(world.sql, { endpoints: manyHanging, count: hangingCount * dueToEachHanging })
      const prepare = () => switchWebhooks(world.sql, manyHanging, true)
      return publishToArrival(world, { ...scenario, endpoints: [...healthy, ...oneMore], prepare })
    },
    async backlog() {
      await switchWebhooks(world.sql, busy, false)
      await addBacklog(world.sql, { endpoints: busy, count: backlogCount })
      const prepare = () => switchWebhooks(world.sql, busy, true)
      return publishToArrival(world, { ...scenario, endpoints: [...healthy, ...oneMore], prepare })
    },
  })
  publisher.stop()

  const alone = { what: 'all 100 healthy, nothing else to do', value: p99(turns.alone) }
  const drained = turns.backlog.map((figures) => drain(figures, busy[0]!.number))
  const leftCount = Math.min(...drained.map(({ left }) => left))
  const what = `p99 of ${healthyCount} healthy endpoints at ${perSecond} events/s`
  return [
    {
      what: `${what}, beside one that hangs`,
      note: `p50 ${p50(turns.hanging)} ms against ${p50(turns.alone)} ms`,
      unit: 'ms',
      ours: p99(turns.hanging),
      ceiling: alone,
      goal: ratioGoal({ ours: p99(turns.hanging), ceiling: alone.value, atMost: 1.2 }),
    },
    {
      what: `${what}, beside ${hangingCount.toLocaleString('en-US')} that hang`,
      note: `p50 ${p50(turns.manyHanging)} ms; ${dueToEachHanging} deliveries due to each`,
      unit: 'ms',
      ours: p99(turns.manyHanging),
      ceiling: alone,
      goal: ratioGoal({ ours: p99(turns.manyHanging), ceiling: alone.value, atMost: 1.2 }),
    },
    {
      what: `${what}, beside ${backlogCount.toLocaleString('en-US')} due deliveries of one endpoint`,
      note: `p50 ${p50(turns.backlog)} ms; when publishing ends ${leftCount.toLocaleString('en-US')} of them are left`,
      unit: 'ms',
      ours: p99(turns.backlog),
      ceiling: alone,
      goal: ratioGoal({ ours: p99(turns.backlog), ceiling: alone.value, atMost: 1.2 }),
    },
    {
      what: 'that backlog, at the same time',
      unit: 'deliveries/s',
      ours: median(drained.map((one) => one.perSecond)),
    },
  ]
}

const p99 = (figures: ArrivalFigures[]) => median(figures.map(({ p99Ms }) => p99Ms))
const p50 = (figures: ArrivalFigures[]) => median(figures.map(({ p50Ms }) => p50Ms)).toFixed(1)

/** The delivery rate of the backlog while events were published, and what was left of it. */
function drain({ arrivals, publishedFromMs, publishedToMs }: ArrivalFigures, endpoint: number) {
  const atMs = arrivals.atMs.filter((_, index) => arrivals.endpoints[index] === endpoint)
  const during = atMs.filter((at) => at >= publishedFromMs && at < publishedToMs)
  const left = backlogCount - atMs.filter((at) => at < publishedToMs).length
  return { perSecond: (during.length / ((during.at(-1) ?? 0) - publishedFromMs)) * 1000, left }
}
