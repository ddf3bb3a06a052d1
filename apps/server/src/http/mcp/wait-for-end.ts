import type { Clock } from '../../ports/clock.ts'

const lookEveryMs = 1000

/**
 * Looks at something until it has ended, or there is no more time, or the signal aborts; and answers how it is then.
 * `woken` resolves when it is worth looking at once.
 */
export async function waitForEnd<Subject>(options: {
  clock: Clock
  waitMs: number
  signal: AbortSignal
  look(): Promise<Subject>
  isEnded(subject: Subject): boolean
  woken?(signal: AbortSignal): Promise<unknown>
  /** Told each time that it has not ended yet. */
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
      const pause = clock.sleep(Math.min(restMs, lookEveryMs), signal)
      await (wake && !hasWoken ? Promise.race([wake, pause]) : pause)
    }
  } finally {
    over.abort()
  }
}
