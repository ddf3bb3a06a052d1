/**
 * Time. Everything that asks what time it is, or waits, does so through a `Clock`, so that tests and
 * the simulator can move time by hand. SQL gets its timestamps as parameters from here too.
 */
export interface Clock {
  /** Wall-clock time: for timestamps people see and for comparing with stored ones. */
  now(): Date
  /** Milliseconds that only ever grow: for durations. */
  monotonicMs(): number
  /** Resolves after `ms`, or at once (without throwing) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const finish = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, ms)
      signal?.addEventListener('abort', finish)
    }),
}

/** A signal that aborts after `ms`; `cancel` when what it guards is over. */
export function abortAfter(clock: Clock, ms: number): { signal: AbortSignal; cancel(): void } {
  const expiry = new AbortController()
  const cancelled = new AbortController()
  void clock.sleep(ms, cancelled.signal).then(() => {
    if (!cancelled.signal.aborted) expiry.abort()
  })
  return { signal: expiry.signal, cancel: () => cancelled.abort() }
}
