import { EngineError } from '../engine.ts'
import type { PostgresConnection } from './connection.ts'
import type { Pool } from './postgres-pool.ts'

/** A connection in the hands of one statement. Whichever way the statement goes, the pool hears of it once. */
export interface Lease {
  readonly isOver: boolean
  throwIfStopped(): void
  /** All rows are read. The connection is cleaned while they are already on their way. */
  succeed(): void
  /** Gives the error that the statement ends with. */
  fail(error: unknown): Promise<unknown>
  /** Stops a statement whose rows nobody wants. */
  abandon(): Promise<void>
}

const stopped = () => new EngineError('stopped', 'The statement was stopped.')

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
   * Forgotten only when it has ended: until then the server is still at it, and another connection would be one too
   * many.
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
      if (connection.isStopping) throw stopped()
    },
    succeed: () => void giveBack(),
    async fail(error) {
      if (isOver) return error
      if (connection.isStopping) {
        finish()
        await stopAndForget()
        return stopped()
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
