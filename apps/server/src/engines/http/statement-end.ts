/**
 * How a statement on a server ends. It is *over* when its result has been read to the end, when it has failed, or when it was canceled and
 * the server no longer runs it. Only then does it release its permit.
 */
import type { RowBatch } from '../../model/result.ts'

export interface StatementEnd {
  /** The server no longer runs the statement. */
  finish(): void
  /** Cancels the statement, unless it is over. Resolves when the server no longer runs it. */
  end(): Promise<void>
  /** Passes the rows on, and cancels the statement if their reader stops early. `fail` rejects with the error to report. */
  untilRead(rows: AsyncGenerator<RowBatch, void>, fail: (error: unknown) => Promise<never>): AsyncGenerator<RowBatch>
}

/** A signal that aborts ends the statement. */
export function statementEnd(options: {
  signal: AbortSignal
  /** Resolves when the server no longer runs the statement. */
  cancel(): Promise<void>
  /** Called once, when the statement is over. */
  onOver(): void
}): StatementEnd {
  const { signal } = options
  let ending: Promise<void> | undefined
  let isOver = false

  function finish(): void {
    if (isOver) return
    isOver = true
    signal.removeEventListener('abort', stop)
    options.onOver()
  }

  function end(): Promise<void> {
    ending ??= isOver ? Promise.resolve() : options.cancel().then(finish)
    return ending
  }

  const stop = () => void end()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  return {
    finish,
    end,
    async *untilRead(rows, fail) {
      let isSettled = false
      try {
        yield* rows
        isSettled = true
        finish()
      } catch (error) {
        isSettled = true
        await fail(error)
      } finally {
        // The reader stopped early: cancel the statement instead of reading to its end.
        if (!isSettled) await end()
      }
    },
  }
}
