/**
 * Ends a statement at the server, and is over when the server has it no more.
 *
 * The answer is read on and thrown away meanwhile: a server that waits to write more of it would not notice. A
 * statement that was only just sent may not be known there yet, so KILL is repeated until it hits, or until the
 * answer ends by itself. The last word is always a KILL … SYNC that came after: it waits until the statement has left
 * the list of processes.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Exchange } from './clickhouse-exchange.ts'
import type { Server } from './clickhouse-connection.ts'

/** A server that is not done by then is left to notice that its client has gone. */
const limitMs = 30_000
/** A balancer may lead KILL to another server than the statement: where it hits nothing for long, closing must do. */
const unknownMs = 2000
const againMs = 20

export async function endStatement(options: {
  server: Server
  exchange: Exchange
  queryId: string
  /** Whether the server ends a statement by itself when its connection is closed. */
  isEndedByClosing: boolean
  clock: Clock
  log: Log
}): Promise<void> {
  const { server, exchange, queryId, clock, log } = options
  if (!exchange.isSent()) return exchange.abort()
  let isOver = false
  const over = exchange.drain().then(() => {
    isOver = true
  })
  const limit = new AbortController()
  const expired = clock.sleep(limitMs, limit.signal)
  const killUntilMs = clock.monotonicMs() + (options.isEndedByClosing ? unknownMs : limitMs)
  const killing = (async () => {
    while (clock.monotonicMs() < killUntilMs) {
      const wasOver = isOver
      const killed = await server.ask<{ kill_status: string }>(`KILL QUERY WHERE query_id = '${queryId}' SYNC`)
      if (wasOver || killed.some(({ kill_status: status }) => status === 'finished')) return 'gone' as const
      await Promise.race([over, clock.sleep(againMs)])
    }
    return 'unknown' as const
  })()
  try {
    const end = await Promise.race([killing, expired.then(() => 'expired' as const)])
    if (end === 'gone') return
    log.warn({ engine: 'clickhouse', queryId, end }, 'statement not seen to end; its connection is closed')
  } catch (error) {
    // No right to KILL, or no server any more.
    log.warn({ engine: 'clickhouse', queryId, error }, 'statement could not be killed; its connection is closed')
  } finally {
    killing.catch(() => {})
    limit.abort()
    if (!isOver) exchange.abort()
  }
}
