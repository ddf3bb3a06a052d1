import type { Clock } from '../../ports/clock.ts'
import type { ResultStore } from '../../results/result-store.ts'
import type { Db } from '../../store/db.ts'
import { findExpiredResults, markResultsRemoved } from '../../store/runs/expired-results.ts'
import type { Sweep } from '../sweep-step.ts'

/** A client that knows of a result may be about to read it. */
const graceMs = 60_000
/** Leftovers of a process that died are removed a day later than the result itself would have been. */
const leftoverMs = 24 * 3600_000
const batchResults = 500

/** Removes expired results, and then bytes that are no longer used. */
export function resultSweeps(deps: { db: Db; clock: Clock; results: ResultStore; resultLifetimeMs: number }): Sweep[] {
  const { db, results } = deps
  const now = deps.clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return [
    {
      kind: 'results',
      async removeBatch() {
        const completedBefore = ago(deps.resultLifetimeMs + graceMs)
        const runIds = await findExpiredResults(db, { completedBefore, count: batchResults })
        if (runIds.length > 0) {
          await results.removeAll(runIds)
          await markResultsRemoved(db, { runIds, now })
        }
        return { rows: runIds.length, hasMore: runIds.length === batchResults }
      },
    },
    {
      kind: 'result_bytes',
      async removeBatch() {
        const { removed, hasMore } = await results.sweep({ writtenBefore: ago(deps.resultLifetimeMs + leftoverMs) })
        return { rows: removed, hasMore }
      },
    },
  ]
}
