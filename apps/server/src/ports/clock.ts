/**
 * Time. Everything that asks what time it is, or waits, does so through a `Clock`, so that tests and
 * the simulator can move time by hand. SQL gets its timestamps as parameters from here too.
 */
export interface Clock {
  /** The time of day: for timestamps people see. With a store on a server it is that server's (store/store-clock.ts). */
  now(): Date
  /** Milliseconds that only ever grow: for durations. */
  monotonicMs(): number
  /** The machine's own idea of the time, right or wrong: only good for noticing that the machine was asleep or its clock was set. */
  machineMs(): number
  /** Resolves after `ms`, or at once (without throwing) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  machineMs: () => Date.now(),
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

/**
 * How many milliseconds ago it was started, by whichever of the machine's two clocks says more: the monotonic one may stand still while
 * the machine sleeps, and the other may be set back.
 */
export function startStopwatch(clock: Clock): () => number {
  const monotonicMs = clock.monotonicMs()
  const machineMs = clock.machineMs()
  return () => Math.max(clock.monotonicMs() - monotonicMs, clock.machineMs() - machineMs)
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
