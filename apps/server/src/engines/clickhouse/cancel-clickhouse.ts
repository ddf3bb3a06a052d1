/**
 * Cancels a statement at the server and resolves once the server no longer runs it.
 *
 * The response is drained while the statement is killed, because a server blocked on writing would not notice the KILL.
 * The server may not know a statement that was only just sent, so KILL is repeated until it matches, or until the
 * response ends. A final KILL … SYNC always follows: it waits until the statement has left the process list.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Exchange } from '../http/pooled-exchange.ts'
import type { Server } from './clickhouse-connection.ts'

/** After this, the connection is closed and the server is left to notice that its client is gone. */
const limitMs = 30_000
/** A load balancer may route KILL to a different server. If it matches nothing for this long, rely on closing the connection. */
const unknownMs = 2000
const retryMs = 20

export async function cancelStatement(options: {
  server: Server
  exchange: Exchange
  queryId: string
  /** Whether the server cancels a statement when its connection is closed. */
  cancelsOnClose: boolean
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
  const killUntilMs = clock.monotonicMs() + (options.cancelsOnClose ? unknownMs : limitMs)
  const killing = (async () => {
    while (clock.monotonicMs() < killUntilMs) {
      const wasOver = isOver
      const killed = await server.query<{ kill_status: string }>(`KILL QUERY WHERE query_id = '${queryId}' SYNC`)
      if (wasOver || killed.some(({ kill_status: status }) => status === 'finished')) return 'gone' as const
      await Promise.race([over, clock.sleep(retryMs)])
    }
    return 'unknown' as const
  })()
  try {
    const end = await Promise.race([killing, expired.then(() => 'expired' as const)])
    if (end === 'gone') return
    log.warn({ engine: 'clickhouse', queryId, end }, 'statement cancellation not confirmed, connection closed')
  } catch (error) {
    // The user may not KILL, or the server is gone.
    log.warn({ err: error, engine: 'clickhouse', queryId }, 'statement cancellation failed, connection closed')
  } finally {
    killing.catch(() => {})
    limit.abort()
    if (!isOver) exchange.abort()
  }
}
