import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/**
 * A *hold* tells all processes that the bytes of a result are still needed. Every reader or writer of a result takes a hold,
 * which is renewed until it is released or this process dies; then it expires.
 *
 * A new hold is written up to `renewEveryMs` later, so a quick reader costs no write. That is safe because bytes stay for
 * `holdMs` after their removal: a reader that opened a result before it was removed has written its hold by then, with
 * several retries to spare.
 */
export interface Holds {
  /** Returns a function that releases the hold. */
  take(runId: string): () => void
}

export const holdMs = 120_000
export const renewEveryMs = 30_000

export function makeHolds(options: {
  clock: Clock
  log: Log
  write(options: { runIds: string[]; until: Date }): Promise<void>
}): Holds {
  const { clock, log } = options
  /** The number of holds on each result in this process. */
  const held = new Map<string, number>()
  let renewal: AbortController | undefined

  async function renewWhileHeld(signal: AbortSignal) {
    for (;;) {
      await clock.sleep(renewEveryMs, signal)
      if (signal.aborted) return
      const until = new Date(clock.now().getTime() + holdMs)
      try {
        await options.write({ runIds: [...held.keys()], until })
      } catch (error) {
        log.warn({ err: error }, 'result hold renewal failed, retrying')
      }
    }
  }

  return {
    take(runId) {
      held.set(runId, (held.get(runId) ?? 0) + 1)
      if (!renewal) {
        renewal = new AbortController()
        void renewWhileHeld(renewal.signal)
      }
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const others = held.get(runId)! - 1
        if (others > 0) held.set(runId, others)
        else held.delete(runId)
        if (held.size > 0) return
        renewal?.abort()
        renewal = undefined
      }
    },
  }
}
