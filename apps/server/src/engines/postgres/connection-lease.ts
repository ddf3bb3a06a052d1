import { EngineError, statementStopped } from '../engine.ts'
import type { PostgresConnection } from './connection.ts'
import type { Pool } from './postgres-pool.ts'

/** A connection lent to one statement. However the statement ends, the pool is notified exactly once. */
export interface Lease {
  readonly isOver: boolean
  throwIfStopped(): void
  /** All rows have been read. The connection is cleaned in the background. */
  succeed(): void
  /** Returns the error that the statement ends with. */
  fail(error: unknown): Promise<unknown>
  /** Stops a statement whose remaining rows are not needed. */
  abandon(): Promise<void>
}

export function lend(options: { connection: PostgresConnection; pool: Pool; signal: AbortSignal }): Lease {
  const { connection, pool, signal } = options
  let isOver = false
  const stop = () => void stopAndForget()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()

  function finish(): void {
    isOver = true
    signal.removeEventListener('abort', stop)
  }

  /**
   * The pool forgets the connection only after it has ended. Until then the server still runs the statement, and another
   * connection would exceed the limit.
   */
  async function stopAndForget(): Promise<void> {
    await connection.stop()
    pool.forget(connection)
  }

  async function endAndForget(): Promise<void> {
    await connection.end()
    pool.forget(connection)
  }

  async function giveBack(): Promise<void> {
    finish()
    if (await connection.clean()) pool.giveBack(connection)
    else await endAndForget()
  }

  return {
    get isOver() {
      return isOver
    },
    throwIfStopped() {
      if (connection.isStopping) throw statementStopped()
    },
    succeed: () => void giveBack(),
    async fail(error) {
      if (isOver) return error
      if (connection.isStopping) {
        finish()
        await stopAndForget()
        return statementStopped()
      }
      const isLost = !(error instanceof EngineError) || error.kind === 'unreachable'
      if (!isLost && connection.isReady) void giveBack()
      else {
        finish()
        await (isLost ? endAndForget() : stopAndForget())
      }
      return error
    },
    async abandon() {
      finish()
      await stopAndForget()
    },
  }
}
