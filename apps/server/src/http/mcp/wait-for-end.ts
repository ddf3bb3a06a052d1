import type { Clock } from '../../ports/clock.ts'

const pollEveryMs = 1000

/**
 * Polls something until it has ended, the time is up or the signal aborts, and returns its latest state. `woken` resolves when it is
 * worth polling at once.
 */
export async function waitForEnd<Subject>(options: {
  clock: Clock
  waitMs: number
  signal: AbortSignal
  look(): Promise<Subject>
  isEnded(subject: Subject): boolean
  woken?(signal: AbortSignal): Promise<unknown>
  /** Called after each poll that finds it has not ended. */
  onWaiting(subject: Subject): Promise<void>
}): Promise<Subject> {
  const { clock, waitMs } = options
  const untilMs = clock.monotonicMs() + waitMs
  const over = new AbortController()
  const signal = AbortSignal.any([options.signal, over.signal])
  let wake: Promise<unknown> | undefined
  let hasWoken = false
  try {
    for (;;) {
      const subject = await options.look()
      const restMs = untilMs - clock.monotonicMs()
      if (options.isEnded(subject) || restMs <= 0 || signal.aborted) return subject
      await options.onWaiting(subject)
      wake ??= options.woken?.(signal).then(
        () => (hasWoken = true),
        () => {},
      )
      const pause = clock.sleep(Math.min(restMs, pollEveryMs), signal)
      await (wake && !hasWoken ? Promise.race([wake, pause]) : pause)
    }
  } finally {
    over.abort()
  }
}
