/**
 * The connections of one database.
 *
 * - A connection is *lent* for one statement and then given back, or it ended while lent. At most `maxConnections`
 *   exist.
 * - Who finds all of them lent *waits*; those who wait are served in the order they came.
 * - A connection that nobody asked for during `idleMs` is closed. While it rests it does not keep the process alive.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Release } from '../../ports/semaphore.ts'
import { makeStatementPermits } from '../statement-permits.ts'
import type { PostgresConnection } from './connection.ts'

export interface Pool {
  borrow(signal: AbortSignal): Promise<PostgresConnection>
  /** The connection is clean and well. */
  giveBack(connection: PostgresConnection): void
  /** The connection has ended. */
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
    // The one used last; the others get a chance to grow old.
    const last = [...idle].at(-1)
    if (!last) return undefined
    const [connection, inUse] = last
    idle.delete(connection)
    inUse.abort()
    connection.wake()
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

  function rest(connection: PostgresConnection): void {
    const inUse = new AbortController()
    const drop = () => {
      if (!idle.delete(connection)) return
      inUse.abort()
      void connection.end()
    }
    idle.set(connection, inUse)
    connection.rest(drop)
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
      else rest(connection)
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
