import type { ClaimedFill, FillDecision } from '../model/history-fill.ts'
import type { HistoryFillStore } from '../store/history/history-fills.ts'
import type { Worker } from '../work/worker.ts'
import { type JobWorkerDeps, makeJobWorker } from './job-worker.ts'

export interface HistoryFillWorkerDeps extends JobWorkerDeps {
  fills: HistoryFillStore
  /** Runs the query for the day. */
  fillDay(fill: ClaimedFill, signal: AbortSignal): Promise<FillDecision>
}

const leaseMs = 60_000
/** Nobody waits for the past, and people’s own runs come first. */
const fillsAtOnce = 1
/** For each day. */
export const fillAttemptsMax = 3
const waitMs = 60_000

/** Filling histories as a kind of work. An item is one day of a fill; recording it makes the next day due. */
export function makeHistoryFillWorker(deps: HistoryFillWorkerDeps): Worker {
  const { log } = deps
  return makeJobWorker<ClaimedFill, FillDecision>(deps, {
    name: 'history fill',
    channel: 'history_fills',
    store: deps.fills,
    leaseMs,
    atOnce: fillsAtOnce,
    async attempt(fill, signal) {
      if (fill.attemptNumber > fillAttemptsMax) return { state: 'missed', reason: `${fill.day}: every attempt was interrupted.` }
      return deps.fillDay(fill, signal)
    },
    onError: (fill, error) => log.warn({ err: error, fillId: fill.id, day: fill.day }, 'history fill failed'),
    afterFailure: ({ day }, reason) => ({ state: 'due', waitMs, reason: `${day}: ${reason}` }),
    taking: 'Running the query',
    onRecorded(fill, decision, isRecorded) {
      const line = { fillId: fill.id, day: fill.day, next: decision.state }
      if (!isRecorded) log.warn(line, 'history fill lease lost')
      else log.info(line, 'history fill attempted')
    },
  })
}
