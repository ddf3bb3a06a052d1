import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/**
 * A *hold* says to all processes that the bytes of a result are needed for a while longer. Whoever reads or writes one
 * for longer than an instant takes a hold, which is renewed for as long as this process lives and has not let go; then
 * it lapses.
 *
 * A new hold is first told of up to `renewEveryMs` later, so a reader that is quick costs no write. That is safe
 * because bytes stay for `holdMs` after their removal: whoever opened a result before it was removed has told of the
 * hold by then, with some tries to spare.
 */
export interface Holds {
  /** Returns a function that lets go. */
  take(runId: string): () => void
}

export const holdMs = 120_000
export const renewEveryMs = 30_000

export function makeHolds(options: {
  clock: Clock
  log: Log
  tell(options: { runIds: string[]; until: Date }): Promise<void>
}): Holds {
  const { clock, log } = options
  /** How many in this process hold each result. */
  const held = new Map<string, number>()
  let pause: AbortController | undefined

  async function renewWhileHeld(signal: AbortSignal) {
    for (;;) {
      await clock.sleep(renewEveryMs, signal)
      if (signal.aborted) return
      const until = new Date(clock.now().getTime() + holdMs)
      try {
        await options.tell({ runIds: [...held.keys()], until })
      } catch (error) {
        log.warn({ err: error }, 'could not renew the holds of results that are being read or written; trying again')
      }
    }
  }

  return {
    take(runId) {
      held.set(runId, (held.get(runId) ?? 0) + 1)
      if (!pause) {
        pause = new AbortController()
        void renewWhileHeld(pause.signal)
      }
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const others = held.get(runId)! - 1
        if (others > 0) held.set(runId, others)
        else held.delete(runId)
        if (held.size > 0) return
        pause?.abort()
        pause = undefined
      }
    },
  }
}
