import { newId } from '../domain/ids.ts'
import type { ClaimedFill, FillDecision } from '../model/history-fill.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import type { HistoryFillStore } from '../store/history/history-fills.ts'
import type { Wakeups } from '../store/wakeups.ts'
import type { Interruption, WorkKind } from '../work/kind.ts'
import { makeWorker, type Worker } from '../work/worker.ts'

export interface HistoryFillWorkerDeps {
  fills: HistoryFillStore
  /** Runs the query for the day. */
  fillDay(fill: ClaimedFill, signal: AbortSignal): Promise<FillDecision>
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
}

const lookEveryMs = 15_000
const leaseMs = 60_000
const renewEveryMs = 15_000
/** Nobody waits for the past, and people’s own runs come first. */
const fillsAtOnce = 1
const returnWithinMs = 10_000
const attemptsMax = 3
const waitMs = 60_000

/** Filling histories as a kind of work. An item is one day of a fill; recording it makes the next day due. */
export function makeHistoryFillWorker(deps: HistoryFillWorkerDeps): Worker {
  const { fills, log } = deps
  const kind: WorkKind<ClaimedFill, FillDecision> = {
    name: 'history fill',
    channel: 'history_fills',
    lookEveryMs,
    leaseMs,
    inHandMax: fillsAtOnce,
    claimMax: fillsAtOnce,
    async claim({ leaseMs: forMs, count }) {
      const items = await fills.claim({ leaseMs: forMs, count })
      return { items, next: items.length < count ? 'when_woken' : 'with_room' }
    },
    async carryOut(fill, control) {
      if (fill.attemptNumber > attemptsMax) return { state: 'missed', reason: `${fill.day}: every attempt was interrupted.` }
      try {
        return await deps.fillDay(fill, control.signal)
      } catch (error) {
        const interruption = control.interruption()
        if (interruption) return afterInterruption(fill, interruption)
        log.warn({ err: error, fillId: fill.id, day: fill.day }, 'history fill failed')
        return { state: 'due', waitMs, reason: `${fill.day}: an internal error occurred. The operator finds it in the log.` }
      }
    },
    abandonment: { afterMs: returnWithinMs, outcomeOf: afterInterruption },
    recording: { batchMax: 1, atOnce: fillsAtOnce },
    async record([ended]) {
      const { item: fill, outcome, agoMs } = ended!
      return new Set((await fills.record(fill, outcome, { endedAgoMs: agoMs })) ? [fill.id] : [])
    },
    onRecorded({ item: fill, outcome }, isRecorded) {
      const line = { fillId: fill.id, day: fill.day, next: outcome.state }
      if (!isRecorded) log.warn(line, 'history fill lease lost')
      else log.info(line, 'history fill attempted')
    },
    renewal: {
      everyMs: renewEveryMs,
      renew: ({ leaseMs: forMs, items }) => fills.renew({ leaseMs: forMs, items }),
      // The claim finds fills whose lease has expired.
      recover: async () => {},
    },
    isInterruptedAtOnce: true,
  }
  return makeWorker(kind, { ...deps, workerId: newId(deps.random, 'worker') })
}

const afterInterruption = (_: ClaimedFill, { kind }: Interruption): FillDecision | undefined =>
  kind === 'lease_lost' ? undefined : { state: 'given_back' }
