import type { Clock } from './clock.ts'

/** One signal for all that may end a piece of work before its time: the caller's signal, and a time that is up. */
export interface Limit {
  signal: AbortSignal
  /** The time no longer counts; the caller's signal still does. */
  stopTimer(): void
  /** The work is over: nothing is listened to any more. */
  end(): void
}

export function makeLimit(options: {
  clock: Clock
  /** Without it there is no such time. */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
  /** What the signal aborts with when the time is up. */
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
