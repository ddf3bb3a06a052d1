import { boundGoal, type Measurement } from '../report.ts'
import { median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'
import { addBacklog, clearDeliveries, switchWebhooks } from './backlog.ts'
import { nowMs } from './monotonic.ts'
import type { World } from './world.ts'

const rounds = 3
const endpointCount = 8
const backlogCount = 20_000
const killAfterCount = 15_000
const arriveWithinMs = 60_000

interface Figures {
  /** From the kill until the last delivery arrived that the killed worker had leased. */
  leasedMs: number
  /** From the kill until the last delivery of all arrived. */
  allMs: number
  leasedCount: number
  /** Of the restarted process. */
  readyMs: number
  lostCount: number
}

/** Kills a worker with kill -9 while it drains a backlog. */
export async function measureRecovery(world: World): Promise<Measurement[]> {
  const endpoints = await world.addEndpoints(endpointCount)
  async function killOne({ isAlone }: { isAlone: boolean }): Promise<Figures> {
    const { receivers } = world
    await receivers.ask({ act: 'forget' })
    await switchWebhooks(world.sql, endpoints, false)
    await addBacklog(world.sql, { endpoints, count: backlogCount })
    const killed = await world.startProcess('worker')
    const other = isAlone ? undefined : await world.startProcess('worker')
    await switchWebhooks(world.sql, endpoints, true)
    await receivers.ask({ act: 'wait for', count: killAfterCount, limitMs: arriveWithinMs })
    const killedMs = nowMs()
    process.kill(killed.pid, 'SIGKILL')
    const [leased, survivor] = await Promise.all([readLeased(world), other ?? world.startProcess('worker')])
    await untilNonePending(world)
    const { arrivals } = await receivers.ask({ act: 'report' })
    await survivor.stop()
    await clearDeliveries(world.sql)
    const lastMs = new Map(arrivals.eventIds.map((eventId, index) => [eventId, arrivals.atMs[index]!]))
    return {
      leasedMs: Math.max(...leased.map((eventId) => lastMs.get(eventId) ?? Number.POSITIVE_INFINITY)) - killedMs,
      allMs: Math.max(...arrivals.atMs) - killedMs,
      leasedCount: leased.length,
      readyMs: survivor.readyMs,
      lostCount: backlogCount - lastMs.size,
    }
  }
  const turns = await takeTurns(rounds, {
    restarted: () => killOne({ isAlone: true }),
    survived: () => killOne({ isAlone: false }),
  })
  return [
    row('the process is restarted at once', turns.restarted, ({ readyMs }) => `, ready after ${(readyMs / 1000).toFixed(1)} s`),
    row('another process survives', turns.survived, () => ''),
  ]
}

/** The events whose deliveries had been claimed and not recorded. */
async function readLeased(world: World): Promise<string[]> {
  const { rows } = await world.sql.query<{ id: string }>(
    `select event_id as id from webhook_deliveries where state = 'pending' and lease_owner is not null`,
  )
  return rows.map(({ id }) => id)
}

async function untilNonePending(world: World): Promise<void> {
  const untilMs = nowMs() + arriveWithinMs
  while (nowMs() < untilMs) {
    const { rowCount } = await world.sql.query(`select from webhook_deliveries where state = 'pending' limit 1`)
    if (rowCount === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('Deliveries are still pending.')
}

function row(what: string, figures: Figures[], describe: (figures: Pick<Figures, 'readyMs'>) => string): Measurement {
  const of = (name: keyof Figures) => median(figures.map((each) => each[name]))
  const leasedSeconds = of('leasedMs') / 1000
  const lostCount = figures.reduce((sum, each) => sum + each.lostCount, 0)
  const isMet = leasedSeconds < 3 && lostCount === 0
  return {
    what: `kill -9 while draining ${backlogCount.toLocaleString('en-US')}, ${what}: until the last delivery arrives that the killed one had leased`,
    note: `${of('leasedCount')} leased, ${lostCount} lost${describe({ readyMs: of('readyMs') })}; the last of all after ${(of('allMs') / 1000).toFixed(1)} s`,
    unit: 's',
    ours: leasedSeconds,
    goal: { ...boundGoal({ value: leasedSeconds, below: 3, unit: 's' }), isMet },
  }
}
