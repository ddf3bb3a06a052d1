/**
 * The connections of one database.
 *
 * - A connection is *lent* for one statement and then given back, or it ended while lent. At most `maxConnections`
 *   exist.
 * - Who finds all of them lent *waits*; those who wait are served in the order they came.
 * - A connection that nobody asked for during `idleMs` is closed. While it rests it does not keep the process alive.
 */
import type { Clock } from '../../ports/clock.ts'
import { EngineError } from '../engine.ts'
import type { PostgresConnection } from './connection.ts'

export interface Pool {
  borrow(signal: AbortSignal): Promise<PostgresConnection>
  /** The connection is clean and well. */
  giveBack(connection: PostgresConnection): void
  /** The connection has ended. */
  forget(connection: PostgresConnection): void
  close(): Promise<void>
}

interface Waiter {
  proceed(): void
  reject(error: EngineError): void
}

const stopped = () => new EngineError('stopped', 'The statement was stopped before it began.')

export function connectionPool(options: {
  open: (signal: AbortSignal) => Promise<PostgresConnection>
  maxConnections: number
  idleMs: number
  clock: Clock
}): Pool {
  const lent = new Set<PostgresConnection>()
  const idle = new Map<PostgresConnection, AbortController>()
  const waiting: Waiter[] = []
  const closing = new AbortController()
  const opening = new Set<Promise<PostgresConnection>>()
  /** Turns taken: by connections that are lent or being opened. */
  let turns = 0

  async function takeTurn(signal: AbortSignal): Promise<void> {
    if (closing.signal.aborted || signal.aborted) throw stopped()
    if (turns < options.maxConnections) {
      turns++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(stopped())
      }
      const waiter: Waiter = {
        proceed() {
          signal.removeEventListener('abort', leave)
          resolve()
        },
        reject(error) {
          signal.removeEventListener('abort', leave)
          reject(error)
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(waiter)
    })
  }

  function leaveTurn(): void {
    const next = waiting.shift()
    if (next) next.proceed()
    else turns--
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
      await takeTurn(signal)
      try {
        const connection = takeIdle() ?? (await openOne(signal))
        lent.add(connection)
        return connection
      } catch (error) {
        leaveTurn()
        throw error
      }
    },
    giveBack(connection) {
      if (!lent.delete(connection)) return
      if (closing.signal.aborted) void connection.end()
      else rest(connection)
      leaveTurn()
    },
    forget(connection) {
      if (lent.delete(connection)) leaveTurn()
    },
    async close() {
      closing.abort()
      for (const waiter of waiting.splice(0)) waiter.reject(stopped())
      for (const inUse of idle.values()) inUse.abort()
      const ending = [...idle.keys()].map((connection) => connection.end())
      idle.clear()
      await Promise.allSettled([...ending, ...opening, ...[...lent].map((connection) => connection.stop())])
    },
  }
}
