import { type Measurement, ratioGoal } from '../report.ts'
import { takeTurns } from '../take-turns.ts'
import { figureOf, measureTurn, type Turn } from './measure-sender.ts'
import { bareLoopFile } from './senders/bare-loop.ts'
import { startSender } from './senders/child-sender.ts'
import { startOurWorker } from './senders/our-worker.ts'
import type { World } from './world.ts'

const rounds = 3
export const endpointCount = 8
/** As many connections as a worker opens to a healthy endpoint. */
export const connectionsEach = 32
/** More than can be delivered in a turn. */
const loadCount = 80_000

/** Measures a preloaded queue against a loop that only signs and posts. */
export async function measureThroughput(world: World): Promise<Measurement[]> {
  const endpoints = await world.addEndpoints(endpointCount)
  const { authority } = world
  const bare = await startSender(bareLoopFile, { endpoints, connectionsEach, authority })
  const ours = await startOurWorker(world, endpoints)
  const turns = await takeTurns(rounds, {
    bare: () => measureTurn(world, bare),
    ours: () => measureTurn(world, ours, loadCount),
  })
  await Promise.all([bare.stop(), ours.stop()])
  return lines(turns)
}

function lines({ bare, ours }: { bare: Turn[]; ours: Turn[] }): Measurement[] {
  const against = (what: string, read: (turn: Turn) => number) => ({ what, value: figureOf(bare, read) })
  const perSecond = figureOf(ours, (turn) => turn.perSecond)
  const ceiling = against('bare signed undici loop, same connections', (turn) => turn.perSecond)
  return [
    {
      what: `deliveries, ${endpointCount} endpoints × ${connectionsEach} TLS connections`,
      note: `cores busy with ours: ${coresOf(ours)}; with the loop: ${coresOf(bare)}`,
      unit: 'deliveries/s',
      ours: perSecond,
      ceiling,
      goal: ratioGoal({ ours: perSecond, ceiling: ceiling.value, atLeast: 0.6 }),
    },
    {
      what: 'CPU seconds per 1,000 deliveries, the sender',
      unit: 'CPU s',
      ours: figureOf(ours, (turn) => turn.senderSeconds),
      ceiling: against('the bare loop', (turn) => turn.senderSeconds),
    },
    {
      what: 'CPU seconds per 1,000 deliveries, PostgreSQL',
      unit: 'CPU s',
      ours: figureOf(ours, (turn) => turn.storeSeconds),
    },
    {
      what: 'CPU seconds per 1,000 deliveries, sender and PostgreSQL',
      unit: 'CPU s',
      ours: figureOf(ours, ownSeconds),
      goal: { text: '≤ 0.15 CPU s', isMet: figureOf(ours, ownSeconds) <= 0.15 },
    },
    {
      what: 'CPU seconds per 1,000 deliveries, sender, PostgreSQL and receiver',
      unit: 'CPU s',
      ours: figureOf(ours, allSeconds),
      ceiling: against('loop and receiver', allSeconds),
    },
    {
      what: 'rows claimed per statement',
      note: `${figureOf(ours, (turn) => turn.claimMs).toFixed(2)} ms in PostgreSQL each`,
      unit: 'rows',
      ours: figureOf(ours, (turn) => turn.rowsPerClaim),
    },
    {
      what: 'attempts recorded per statement',
      note: `${figureOf(ours, (turn) => turn.recordMs).toFixed(2)} ms in PostgreSQL each`,
      unit: 'rows',
      ours: figureOf(ours, (turn) => turn.rowsPerRecord),
    },
  ]
}

const ownSeconds = (turn: Turn) => turn.senderSeconds + turn.storeSeconds
const allSeconds = (turn: Turn) => ownSeconds(turn) + turn.receiverSeconds

export function coresOf(turns: Turn[]): string {
  const cores = (name: keyof Turn['cores']) => figureOf(turns, (turn) => turn.cores[name]).toFixed(2)
  const store = figureOf(turns, (turn) => turn.cores.store)
  return `sender ${cores('sender')}, ${store > 0 ? `store ${cores('store')}, ` : ''}receiver ${cores('receiver')}`
}
