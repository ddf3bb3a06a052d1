import { type Measurement, ratioGoal } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { elapsedMs, median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'
import { addBacklog, switchWebhooks } from './backlog.ts'
import type { BenchEndpoint } from './endpoints.ts'
import { figureOf, measureTurn, type Turn } from './measure-sender.ts'
import { startOurWorker } from './senders/our-worker.ts'
import { connectionsEach, coresOf, endpointCount } from './throughput.ts'
import { makeWorld, type World } from './world.ts'

/** Measures what the order of deliveries costs. */
export const benchOrder = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const rounds = 3
/** More than can be delivered in a turn. */
const loadCount = 80_000
const keyCount = 1000
const parkedCount = 100_000
const headCount = 100
const hourMs = 3_600_000

async function measureThroughput(world: World): Promise<Measurement[]> {
  const endpoints = await world.addEndpoints(endpointCount)
  const { plain, ordered } = await takeTurns(rounds, {
    plain: () => oneTurn(world, endpoints, {}),
    ordered: () => oneTurn(world, endpoints, { keyCount }),
  })
  const against = (what: string, read: (turn: Turn) => number) => ({ what, value: figureOf(plain, read) })
  return [
    {
      what: `deliveries in order, ${endpointCount} endpoints × ${connectionsEach} connections, ${keyCount.toLocaleString('en-US')} keys each`,
      note: `cores busy in order: ${coresOf(ordered)}; without: ${coresOf(plain)}`,
      unit: 'deliveries/s',
      ours: figureOf(ordered, (turn) => turn.perSecond),
      ceiling: against('without an order', (turn) => turn.perSecond),
    },
    {
      what: 'CPU seconds per 1,000 deliveries, sender and PostgreSQL',
      unit: 'CPU s',
      ours: figureOf(ordered, seconds),
      ceiling: against('without an order', seconds),
    },
  ]
}

async function oneTurn(world: World, endpoints: BenchEndpoint[], order: { keyCount?: number }): Promise<Turn> {
  const worker = await startOurWorker(world, endpoints, order)
  try {
    return await measureTurn(world, worker, loadCount)
  } finally {
    await worker.stop()
  }
}

async function measureClaims(world: World): Promise<Measurement[]> {
  const endpoints = await world.addEndpoints(endpointCount)
  const waiting = await world.addEndpoints(1)
  const worker = await startOurWorker(world, endpoints)
  const parkedMs: number[] = []
  const { alone, beside } = await takeTurns(rounds, {
    alone: () => measureTurn(world, worker, loadCount),
    async beside() {
      parkedMs.push(await park(world, waiting))
      return measureTurn(world, worker, loadCount)
    },
  })
  await worker.stop()
  const ceiling = { what: 'without them', value: claimMs(alone) }
  const parked = parkedCount.toLocaleString('en-US')
  return [
    {
      what: `a claim in PostgreSQL beside ${parked} deliveries behind ${headCount} heads`,
      note: `rows per claim ${rowsOf(beside)} against ${rowsOf(alone)}`,
      unit: 'ms',
      ours: claimMs(beside),
      ceiling,
      goal: ratioGoal({ ours: claimMs(beside), ceiling: ceiling.value, atMost: 1.2 }),
    },
    {
      what: 'deliveries of the other endpoints beside them',
      unit: 'deliveries/s',
      ours: figureOf(beside, (turn) => turn.perSecond),
      ceiling: { what: 'without them', value: figureOf(alone, (turn) => turn.perSecond) },
    },
    { what: `until the worker has parked the ${parked}`, note: 'once', unit: 'ms', ours: median(parkedMs) },
  ]
}

const seconds = (turn: Turn) => turn.senderSeconds + turn.storeSeconds
const claimMs = (turns: Turn[]) => figureOf(turns, (turn) => turn.claimMs)
const rowsOf = (turns: Turn[]) => figureOf(turns, (turn) => turn.rowsPerClaim).toFixed(0)

/** Adds deliveries behind heads that are due in an hour, and waits until none of them is due. */
async function park(world: World, endpoints: BenchEndpoint[]): Promise<number> {
  const { sql } = world
  await switchWebhooks(sql, endpoints, false)
  await addBacklog(sql, { endpoints, count: parkedCount, keyCount: headCount, headsDueInMs: hourMs })
  return elapsedMs(async () => {
    await switchWebhooks(sql, endpoints, true)
    for (;;) {
      const { rows } = await sql.query(`select from webhook_deliveries where endpoint_id = $1 and next_attempt_at <= now() limit 1`, [endpoints[0]!.id])
      if (rows.length === 0) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
}

const benchmark = {
  name: 'order',
  title: 'Deliveries in order',
  limitMinutes: 15,
  makeWorld,
  parts: { throughput: measureThroughput, claims: measureClaims },
}
