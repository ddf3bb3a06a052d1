/**
 * The connections of one database.
 *
 * - A connection is *lent* for one statement and then returned, unless it ends first. At most `maxConnections` exist.
 * - A caller that finds all of them lent *waits*. Waiting callers are served in order.
 * - A connection that is idle for `idleMs` is closed. An idle connection does not keep the process alive.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Release } from '../../ports/semaphore.ts'
import { makeStatementPermits } from '../statement-permits.ts'
import type { PostgresConnection } from './connection.ts'

export interface Pool {
  borrow(signal: AbortSignal): Promise<PostgresConnection>
  /** Returns a connection that is clean and healthy. */
  giveBack(connection: PostgresConnection): void
  /** Removes a connection that has ended. */
  forget(connection: PostgresConnection): void
  close(): Promise<void>
}

export function connectionPool(options: {
  open: (signal: AbortSignal) => Promise<PostgresConnection>
  maxConnections: number
  idleMs: number
  clock: Clock
}): Pool {
  const lent = new Map<PostgresConnection, Release>()
  const idle = new Map<PostgresConnection, AbortController>()
  /** Held by connections that are lent or being opened. */
  const permits = makeStatementPermits(options.maxConnections)
  const closing = new AbortController()
  const opening = new Set<Promise<PostgresConnection>>()

  function release(connection: PostgresConnection): void {
    lent.get(connection)?.()
    lent.delete(connection)
  }

  function takeIdle(): PostgresConnection | undefined {
    // Reuse the most recent one, so that the others can reach their idle timeout.
    const last = [...idle].at(-1)
    if (!last) return undefined
    const [connection, inUse] = last
    idle.delete(connection)
    inUse.abort()
    connection.setBusy()
    return connection
  }

  async function openOne(signal: AbortSignal): Promise<PostgresConnection> {
    const opened = options.open(AbortSignal.any([signal, closing.signal]))
    opening.add(opened)
    try {
      return await opened
    } finally {
      opening.delete(opened)
    }
  }

  function keepIdle(connection: PostgresConnection): void {
    const inUse = new AbortController()
    const drop = () => {
      if (!idle.delete(connection)) return
      inUse.abort()
      void connection.end()
    }
    idle.set(connection, inUse)
    connection.setIdle(drop)
    void options.clock.sleep(options.idleMs, inUse.signal).then(() => {
      if (!inUse.signal.aborted) drop()
    })
  }

  return {
    async borrow(signal) {
      const permit = await permits.acquire(signal)
      try {
        const connection = takeIdle() ?? (await openOne(signal))
        lent.set(connection, permit)
        return connection
      } catch (error) {
        permit()
        throw error
      }
    },
    giveBack(connection) {
      if (!lent.has(connection)) return
      if (closing.signal.aborted) void connection.end()
      else keepIdle(connection)
      release(connection)
    },
    forget: release,
    async close() {
      closing.abort()
      permits.close()
      for (const inUse of idle.values()) inUse.abort()
      const ending = [...idle.keys()].map((connection) => connection.end())
      idle.clear()
      await Promise.allSettled([...ending, ...opening, ...[...lent.keys()].map((connection) => connection.stop())])
    },
  }
}
