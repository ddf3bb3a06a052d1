import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Db } from '../../store/db.ts'
import { readEndedRuns } from '../../store/runs/find-usable-run.ts'
import type { Wakeups } from '../../store/wakeups.ts'
import type { Run } from './run.ts'

/**
 * Waiting for runs to end. Everybody in this process who waits shares one *watcher*, which reads all watched runs in
 * one statement: at the wake-up `run_ends`, and now and then by itself, since a wake-up may be lost. It watches while
 * there is somebody who waits, and sleeps otherwise.
 */
export interface RunEnds {
  /** Resolves when the run has completed or failed; rejects with the signal's reason when that aborts before. */
  wait(runId: string, signal: AbortSignal): Promise<Run>
}

const lookEveryMs = 2_000

export function makeRunEnds({ db, clock, log, wakeups }: { db: Db; clock: Clock; log: Log; wakeups: Wakeups }): RunEnds {
  const waiting = new Map<string, Set<(run: Run) => void>>()
  let isWatching = false
  let hasNews = false
  let pause = new AbortController()

  function look() {
    hasNews = true
    pause.abort('look')
  }

  async function watch() {
    isWatching = true
    const stopListening = wakeups.listen('run_ends', look)
    while (waiting.size > 0) {
      hasNews = false
      try {
        for (const run of await readEndedRuns(db, [...waiting.keys()])) {
          for (const tell of waiting.get(run.id) ?? []) tell(run)
          waiting.delete(run.id)
        }
      } catch (error) {
        log.error({ err: error }, 'could not look for the end of runs; trying again')
      }
      if (hasNews || waiting.size === 0) continue
      pause = new AbortController()
      await clock.sleep(lookEveryMs, pause.signal)
    }
    stopListening()
    isWatching = false
  }

  return {
    async wait(runId, signal) {
      signal.throwIfAborted()
      const ended = Promise.withResolvers<Run>()
      const ofRun = waiting.get(runId) ?? new Set()
      waiting.set(runId, ofRun.add(ended.resolve))
      const giveUp = () => {
        ofRun.delete(ended.resolve)
        // When this run's end has been told already, others may stand in its place.
        if (ofRun.size === 0 && waiting.get(runId) === ofRun) waiting.delete(runId)
        if (waiting.size === 0) look()
        ended.reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp)
      if (isWatching) look()
      else void watch()
      try {
        return await ended.promise
      } finally {
        signal.removeEventListener('abort', giveUp)
      }
    },
  }
}
