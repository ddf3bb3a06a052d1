import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Db } from '../../store/db.ts'
import { readEndedRuns } from '../../store/runs/find-usable-run.ts'
import type { Wakeups } from '../../store/wakeups.ts'
import { watchWhileNeeded } from '../../work/watch-while-needed.ts'
import type { Run } from '../../model/run.ts'

/**
 * Waits for runs to end. All waiters in this process share one *watcher*, which reads all watched runs in one statement: on the
 * wake-up `run_ends`, and periodically, since a wake-up may be lost. It is active only while someone is waiting.
 */
export interface RunEnds {
  /** Resolves when the run has completed or failed; rejects with the signal's reason if the signal aborts first. */
  wait(runId: string, signal: AbortSignal): Promise<Run>
}

const lookEveryMs = 2_000

export function makeRunEnds(deps: { db: Db; clock: Clock; log: Log; wakeups: Wakeups }): RunEnds {
  const waiting = new Map<string, Set<(run: Run) => void>>()
  const watch = watchWhileNeeded({
    ...deps,
    what: 'check for ended runs',
    channel: 'run_ends',
    everyMs: lookEveryMs,
    isNeeded: () => waiting.size > 0,
    async act() {
      for (const run of await readEndedRuns(deps.db, [...waiting.keys()])) {
        for (const tell of waiting.get(run.id) ?? []) tell(run)
        waiting.delete(run.id)
      }
    },
  })

  return {
    async wait(runId, signal) {
      signal.throwIfAborted()
      const ended = Promise.withResolvers<Run>()
      const ofRun = waiting.get(runId) ?? new Set()
      waiting.set(runId, ofRun.add(ended.resolve))
      const giveUp = () => {
        ofRun.delete(ended.resolve)
        // If this run's end has already been reported, a new set of waiters may be in its place.
        if (ofRun.size === 0 && waiting.get(runId) === ofRun) waiting.delete(runId)
        if (waiting.size === 0) watch.look()
        ended.reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp)
      watch.look()
      try {
        return await ended.promise
      } finally {
        signal.removeEventListener('abort', giveUp)
      }
    },
  }
}
