import type { Clock } from './clock.ts'

/** One signal for everything that may end a piece of work early: the caller's signal and a timeout. */
export interface Limit {
  signal: AbortSignal
  /** Cancels the timeout; the caller's signal still applies. */
  stopTimer(): void
  /** The work is over: removes all listeners. */
  end(): void
}

export function makeLimit(options: {
  clock: Clock
  /** Without it there is no timeout. */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
  /** The reason for the abort when the timeout is over. */
  onTimeout(timeoutMs: number): Error
}): Limit {
  const { clock, timeoutMs, signal } = options
  const ending = new AbortController()
  const timer = new AbortController()
  const follow = () => {
    timer.abort()
    ending.abort(signal!.reason)
  }
  if (signal?.aborted) follow()
  else signal?.addEventListener('abort', follow)
  if (timeoutMs !== undefined && !ending.signal.aborted) {
    void clock.sleep(timeoutMs, timer.signal).then(() => {
      if (!timer.signal.aborted) ending.abort(options.onTimeout(timeoutMs))
    })
  }
  return {
    signal: ending.signal,
    stopTimer: () => timer.abort(),
    end: () => {
      timer.abort()
      signal?.removeEventListener('abort', follow)
    },
  }
}
