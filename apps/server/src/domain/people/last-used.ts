import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Db } from '../../store/db.ts'
import { recordKeyUse } from '../../store/people/record-key-use.ts'

/**
 * Writes down when API keys were last used, behind the requests' backs: a request only notes the use and goes on. Each
 * key is written at most once a minute by a process; uses noted while one statement is on its way share the next. A
 * failed write is logged and forgotten, since the next minute's use makes up for it.
 */
export interface LastUsedRecorder {
  note(keyId: string): void
  /** Resolves when everything noted so far is written: for shutting down. */
  flush(): Promise<void>
}

const intervalMs = 60_000

export function makeLastUsedRecorder(deps: { db: Db; clock: Clock; log: Pick<Log, 'warn'> }): LastUsedRecorder {
  /** In the order of their times, so the outdated ones stand in front. */
  const notedAtMs = new Map<string, number>()
  let waiting = new Set<string>()
  let writing: Promise<void> | undefined

  async function writeWaiting() {
    while (waiting.size > 0) {
      const keyIds = [...waiting]
      waiting = new Set()
      try {
        await recordKeyUse(deps.db, { keyIds, usedAt: deps.clock.now() })
      } catch (error) {
        deps.log.warn({ err: error }, 'could not record when API keys were last used')
      }
    }
    writing = undefined
  }

  return {
    note(keyId) {
      const nowMs = deps.clock.monotonicMs()
      for (const [outdated, atMs] of notedAtMs) {
        if (nowMs - atMs < intervalMs) break
        notedAtMs.delete(outdated)
      }
      if (notedAtMs.has(keyId)) return
      notedAtMs.set(keyId, nowMs)
      waiting.add(keyId)
      writing ??= writeWaiting()
    },
    async flush() {
      await writing
    },
  }
}
