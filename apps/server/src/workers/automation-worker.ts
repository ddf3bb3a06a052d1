import { claimDueTimes, type ClaimDueDeps, claimFrom, type DueTimes } from '../domain/automations/claim-due-times.ts'
import { type AlertWork, evaluateFrom } from '../domain/automations/alerts/alert-work.ts'
import { requestResults, type AskDeps } from '../domain/automations/conditions/request-results.ts'
import { judgeConditions, type JudgeDeps } from '../domain/automations/conditions/judge-conditions.ts'
import { claimDueEvaluations } from '../domain/evaluations/claim-due-evaluations.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Wakeups } from '../store/wakeups.ts'
import { repeatTask, type RepeatedTask } from '../work/repeat.ts'

export interface AutomationWorkerDeps extends ClaimDueDeps, AskDeps, JudgeDeps {
  wakeups: Pick<Wakeups, 'listen'>
}

/** Schedules have no seconds, but a due run should not wait for more than one. */
const claimEveryMs = 1_000
/** For results whose wake-up was lost, and for conditions that waited for a run to end. */
const judgeEveryMs = 5_000
/** Evaluations take minutes, so their start may wait. */
const evaluateEveryMs = 10_000

/** Starts automations and evaluations that are due, and checks conditions against new results. */
export function makeAutomationWorker(deps: AutomationWorkerDeps): Pick<RepeatedTask, 'start' | 'stop'> {
  const { clock, log } = deps
  let isStopping = false
  const control = { isStopping: () => isStopping }
  const duties = {
    claiming: keepClaiming(deps, () => claimDueTimes(deps, control)),
    asking: repeatTask({
      what: 'request due results',
      everyMs: claimEveryMs,
      clock,
      log,
      act: () => requestResults(deps, control),
    }),
    judging: repeatTask({
      what: 'check conditions',
      everyMs: judgeEveryMs,
      clock,
      log,
      act: () => judgeConditions(deps, control),
    }),
    evaluating: repeatTask({
      what: 'start due evaluations',
      everyMs: evaluateEveryMs,
      clock,
      log,
      act: () => claimDueEvaluations(deps, control),
    }),
  }
  let stopListening: (() => void) | undefined
  return {
    start() {
      isStopping = false
      stopListening = deps.wakeups.listen('run_ends', duties.judging.look)
      for (const duty of Object.values(duties)) duty.start()
    },
    async stop() {
      isStopping = true
      stopListening?.()
      await Promise.all(Object.values(duties).map((duty) => duty.stop()))
    },
  }
}

const keepClaiming = ({ clock, log }: { clock: Clock; log: Log }, act: () => Promise<void>) =>
  repeatTask({ what: 'claim due times', everyMs: claimEveryMs, clock, log, act })

/** Only claims due times, from any store of them. */
export function makeScheduleWorker(deps: { dueTimes: DueTimes; clock: Clock; log: Log }): Pick<RepeatedTask, 'start' | 'stop'> {
  let isStopping = false
  const claiming = keepClaiming(deps, () => claimFrom(deps, { isStopping: () => isStopping }))
  return {
    start() {
      isStopping = false
      claiming.start()
    },
    async stop() {
      isStopping = true
      await claiming.stop()
    },
  }
}

/** Only evaluates alerts, from any store of them. */
export function makeAlertWorker(deps: {
  alerts: AlertWork
  clock: Clock
  log: Log
  wakeups: Pick<Wakeups, 'listen'>
}): Pick<RepeatedTask, 'start' | 'stop'> {
  let isStopping = false
  const evaluating = repeatTask({
    ...deps,
    what: 'evaluate alerts',
    everyMs: judgeEveryMs,
    act: () => evaluateFrom(deps, { isStopping: () => isStopping }),
  })
  let stopListening: (() => void) | undefined
  return {
    start() {
      isStopping = false
      stopListening = deps.wakeups.listen('run_ends', evaluating.look)
      evaluating.start()
    },
    async stop() {
      isStopping = true
      stopListening?.()
      await evaluating.stop()
    },
  }
}
