/**
 * Time. Everything that reads the time or waits does so through a `Clock`, so that tests and the simulator can control it. SQL also
 * gets its timestamps from here, as parameters.
 */
export interface Clock {
  /** The time of day, for timestamps people see. With a store on a server, it is that server's time (store/store-clock.ts). */
  now(): Date
  /** Milliseconds that never decrease: for durations. */
  monotonicMs(): number
  /** The machine's own time, right or wrong: only for noticing that the machine was suspended or its clock was set. */
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
 * Measures elapsed milliseconds by whichever of the machine's two clocks shows more: the monotonic clock may stop while the machine
 * is suspended, and the other may be set back.
 */
export function startStopwatch(clock: Clock): () => number {
  const monotonicMs = clock.monotonicMs()
  const machineMs = clock.machineMs()
  return () => Math.max(clock.monotonicMs() - monotonicMs, clock.machineMs() - machineMs)
}

/** A signal that aborts after `ms`; call `cancel` when the guarded work is over. */
export function abortAfter(clock: Clock, ms: number): { signal: AbortSignal; cancel(): void } {
  const expiry = new AbortController()
  const canceled = new AbortController()
  void clock.sleep(ms, canceled.signal).then(() => {
    if (!canceled.signal.aborted) expiry.abort()
  })
  return { signal: expiry.signal, cancel: () => canceled.abort() }
}
