import { median } from '../statistics.ts'
import { secondsOf, secondsOfFamily } from './processor-time.ts'
import type { Sender } from './senders/sender.ts'
import type { World } from './world.ts'

/** One measurement of a sender. */
export interface Turn {
  perSecond: number
  /** CPU seconds per 1,000 deliveries. */
  senderSeconds: number
  storeSeconds: number
  receiverSeconds: number
  /** The share of a core that each used. */
  cores: { sender: number; store: number; receiver: number }
  rowsPerClaim: number
  rowsPerRecord: number
  claimMs: number
  recordMs: number
}

/** The first second is for opening connections and compiling. */
const warmUpMs = 1000
const windowMs = 5000

/**
 * Measures deliveries per second, starting one second after the first arrival, for a fixed time or until all is delivered. Without
 * `loadCount` the sender has no queue and continues until it is stopped.
 */
export async function measureTurn(world: World, sender: Sender, loadCount?: number): Promise<Turn> {
  const { receivers } = world
  await receivers.ask({ act: 'forget' })
  if (loadCount !== undefined) await sender.load(loadCount)
  const count = loadCount ?? Number.POSITIVE_INFINITY
  await world.sql.query('checkpoint')
  await sender.begin()
  const from = await receivers.ask({ act: 'wait since first', afterMs: warmUpMs })
  const cpuBefore = readSeconds(world, sender)
  await world.sql.query('select pg_stat_statements_reset()')
  const to = await receivers.ask({ act: 'wait for', count, limitMs: windowMs })
  const cpuAfter = readSeconds(world, sender)
  const statements = await readStatements(world)
  await sender.end()
  await receivers.ask({ act: 'verify', secrets: world.secrets() })
  if (loadCount !== undefined) await checkNoneTwice(world)

  const arrived = to.arrivedCount - from.arrivedCount
  const isAll = to.arrivedCount >= count
  const seconds = ((isAll ? to.lastMs : to.nowMs) - from.nowMs) / 1000
  const used = (name: keyof typeof cpuBefore) => cpuAfter[name] - cpuBefore[name]
  const each = (name: keyof typeof cpuBefore) => (used(name) / arrived) * 1000
  const cores = (name: keyof typeof cpuBefore) => used(name) / seconds
  return {
    perSecond: arrived / seconds,
    senderSeconds: each('sender'),
    storeSeconds: each('store'),
    receiverSeconds: each('receiver'),
    cores: { sender: cores('sender'), store: cores('store'), receiver: cores('receiver') },
    rowsPerClaim: arrived / (statements.claim?.calls ?? 0),
    rowsPerRecord: arrived / (statements.record?.calls ?? 0),
    claimMs: statements.claim?.meanMs ?? 0,
    recordMs: statements.record?.meanMs ?? 0,
  }
}

/** At-least-once allows repeats, but there is no reason for them here, and they would count twice. */
async function checkNoneTwice({ receivers }: World): Promise<void> {
  const { arrivals } = await receivers.ask({ act: 'report' })
  const twiceCount = arrivals.eventIds.length - new Set(arrivals.eventIds).size
  if (twiceCount > 0) throw new Error(`${twiceCount} deliveries arrived twice.`)
}

function readSeconds(world: World, { pids: { sender, store } }: Sender) {
  return {
    sender: secondsOf(sender),
    store: store ? (store.isFamily ? secondsOfFamily(store.pid) : secondsOf(store.pid)) : 0,
    receiver: secondsOf(world.receivers.pid),
  }
}

/** The two statements of the worker: claim and record. */
export async function readStatements(world: World) {
  const { rows } = await world.sql.query<{ name: 'claim' | 'record'; calls: number; meanMs: number; pages: number }>(
    `select case when query like '%set lease_number =%' then 'claim' else 'record' end as name,
       sum(calls)::integer as calls, sum(total_exec_time) / sum(calls) as "meanMs",
       (sum(shared_blks_hit + shared_blks_read) / sum(calls))::float as pages
     from pg_stat_statements
     where query like '%set lease_number = delivery.lease_number%'
       or query like '%jsonb_to_recordset%webhook_endpoints%'
     group by 1`,
  )
  return { claim: rows.find(({ name }) => name === 'claim'), record: rows.find(({ name }) => name === 'record') }
}

export const figureOf = (turns: Turn[], read: (turn: Turn) => number) => median(turns.map(read))
