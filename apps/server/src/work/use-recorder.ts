import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/**
 * Writes down when something was last used, behind the requests' backs: a request only notes the use and goes on. Each
 * is written at most once a minute by a process; uses noted while one statement is on its way share the next. A failed
 * write is logged and forgotten, since the next minute's use makes up for it.
 */
export interface UseRecorder {
  note(id: string): void
  /** Resolves when everything noted so far is written: for shutting down. */
  flush(): Promise<void>
}

const intervalMs = 60_000

export function makeUseRecorder(deps: {
  clock: Clock
  log: Pick<Log, 'warn'>
  /** For the log: what could not be recorded. */
  what: string
  write(use: { ids: string[]; usedAt: Date }): Promise<void>
}): UseRecorder {
  /** In the order of their times, so the outdated ones stand in front. */
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
        deps.log.warn({ err: error }, `could not record ${deps.what}`)
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
