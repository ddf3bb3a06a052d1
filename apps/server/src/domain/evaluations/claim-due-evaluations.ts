import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Random } from '../../ports/random.ts'
import { yieldToEventLoop } from '../../ports/yield-to-event-loop.ts'
import type { Db } from '../../store/db.ts'
import { type DueQuestionSet, lockDueQuestionSet, writeNextDueAtOfSet } from '../../store/evaluations/question-sets-table.ts'
import { nextDueAt } from '../automations/schedule.ts'
import { Refusal } from '../refusal.ts'
import { requestEvaluation } from './evaluations.ts'

interface ClaimDeps {
  db: Db
  clock: Clock
  random: Random
  log: Log
}

/**
 * Starts the evaluations that are due, on behalf of the creator of each set. The transaction that starts one also moves its due time on, so a due
 * time gives at most one evaluation. Times that were missed give one. If the model is not available, the time is skipped.
 */
export async function claimDueEvaluations(deps: ClaimDeps, control: { isStopping(): boolean }): Promise<void> {
  const failedIds: string[] = []
  while (!control.isStopping()) {
    await yieldToEventLoop()
    const claimed: DueQuestionSet[] = []
    try {
      await deps.db.transaction().execute(async (tx) => {
        const set = await lockDueQuestionSet(tx, { exceptIds: failedIds })
        if (!set) return
        claimed.push(set)
        await writeNextDueAtOfSet(tx, { questionSetId: set.id, nextDueAt: nextTimeOf(deps, set) })
        await tryToStart({ ...deps, tx }, set)
      })
      if (claimed.length === 0) return
    } catch (error) {
      // A failing set must not block the others: skip it, and retry it next time.
      if (!claimed[0]) throw error
      deps.log.error({ err: error, questionSetId: claimed[0].id }, 'starting a due evaluation failed')
      failedIds.push(claimed[0].id)
    }
  }
}

async function tryToStart(deps: ClaimDeps & Parameters<typeof requestEvaluation>[0], set: DueQuestionSet): Promise<void> {
  try {
    await requestEvaluation(deps, set, { trigger: 'schedule', triggerId: set.id, userId: set.createdBy, label: null })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    deps.log.warn({ questionSetId: set.id, code: error.code }, 'due evaluation skipped')
  }
}

/** A schedule that is no longer valid, because its time zone no longer exists, ends with the time that was due. */
function nextTimeOf({ log }: ClaimDeps, { id, schedule, foundAt }: DueQuestionSet): Date | null {
  try {
    return schedule && nextDueAt(schedule, foundAt)
  } catch (error) {
    log.error({ err: error, questionSetId: id }, 'schedule is no longer valid and has no next time')
    return null
  }
}
