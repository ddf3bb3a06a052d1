import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/**
 * Records in the background when something was last used: a request notes the use and does not wait. Each process writes each
 * use at most once a minute; uses noted while one statement is running share the next. A failed write is logged and dropped,
 * because the next use makes up for it.
 */
export interface UseRecorder {
  note(id: string): void
  /** Resolves when everything noted so far is written. Call it before shutting down. */
  flush(): Promise<void>
}

const intervalMs = 60_000

export function makeUseRecorder(deps: {
  clock: Clock
  log: Pick<Log, 'warn'>
  /** For the log: `failed to record …`. */
  what: string
  write(use: { ids: string[]; usedAt: Date }): Promise<void>
}): UseRecorder {
  /** Ordered by time, oldest first. */
  const notedAtMs = new Map<string, number>()
  let waiting = new Set<string>()
  let writing: Promise<void> | undefined

  async function writeWaiting() {
    while (waiting.size > 0) {
      const ids = [...waiting]
      waiting = new Set()
      try {
        await deps.write({ ids, usedAt: deps.clock.now() })
      } catch (error) {
        deps.log.warn({ err: error }, `failed to record ${deps.what}`)
      }
    }
    writing = undefined
  }

  return {
    note(id) {
      const nowMs = deps.clock.monotonicMs()
      for (const [outdated, atMs] of notedAtMs) {
        if (nowMs - atMs < intervalMs) break
        notedAtMs.delete(outdated)
      }
      if (notedAtMs.has(id)) return
      notedAtMs.set(id, nowMs)
      waiting.add(id)
      writing ??= writeWaiting()
    },
    async flush() {
      await writing
    },
  }
}
