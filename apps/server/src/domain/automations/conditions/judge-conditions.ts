import { RowTooLarge } from '../../../results/row-splitter.ts'
import { readUnevaluated, recordEvaluation, type UnevaluatedAutomation } from '../../../store/automations/conditions.ts'
import { findRun } from '../../../store/runs/runs-table.ts'
import { requestAutomationRun } from '../../agent-runs/request-automation-run.ts'
import { Refusal } from '../../refusal.ts'
import { cachedResultOf } from '../../results/results.ts'
import type { RunCondition } from '../../../model/automation.ts'
import type { Run } from '../../../model/run.ts'
import { yieldToEventLoop } from '../../../ports/yield-to-event-loop.ts'
import { evaluateAlerts, type EvaluateAlertDeps } from '../alerts/evaluate-alert.ts'
import { type Judgment, judge, type ResultFacts, unjudged } from './judge.ts'
import { readColumn } from './read-column.ts'

/**
 * Evaluates conditions: read → judge → record. The statement that completes a query run leaves the run's id with the automations
 * that watch it. The transaction that records the finding and requests the agent run removes that id. So a result starts at most
 * one run, however many workers evaluate it at once, and a result that could not be recorded is evaluated again.
 *
 * - While the automation has an active run, its result waits, because the finding may have to start another run.
 * - Only the latest result waits. A result that was replaced before it was evaluated is skipped.
 */
export type JudgeDeps = EvaluateAlertDeps

const batchCount = 20

/** Evaluates everything that is waiting and can be evaluated now, alerts included. */
export async function judgeConditions(deps: JudgeDeps, control: { isStopping(): boolean }): Promise<void> {
  let afterId = ''
  while (!control.isStopping()) {
    const batch = await readUnevaluated(deps.db, { afterId, count: batchCount, kind: 'run' })
    for (const automation of batch) {
      await yieldToEventLoop()
      if (control.isStopping()) return
      await judgeOne(deps, automation as UnevaluatedCondition)
    }
    if (batch.length < batchCount) break
    afterId = batch.at(-1)!.id
  }
  await evaluateAlerts(deps, control)
}

type UnevaluatedCondition = UnevaluatedAutomation & { condition: RunCondition }

async function judgeOne(deps: JudgeDeps, automation: UnevaluatedCondition): Promise<void> {
  const { id: automationId, runId } = automation
  const { state, isTriggered } = await judgeResult(deps, automation)
  const isRecorded = await record(deps, automation, { state, isTriggered })
  if (!isRecorded) return
  const { isMet, finding } = state
  deps.log.info({ automationId, queryRunId: runId, isMet, isTriggered, finding }, 'condition evaluated')
}

/** False when the judgment no longer applies or cannot be recorded yet; then nothing has changed. */
async function record(deps: JudgeDeps, automation: UnevaluatedCondition, judgment: Judgment): Promise<boolean> {
  const { clock, random } = deps
  const { id: automationId, runId, condition } = automation
  const { state, isTriggered } = judgment
  const request = { trigger: 'condition', triggerId: automationId, note: state.finding } as const
  try {
    return await deps.db.transaction().execute(async (tx) => {
      if (!(await recordEvaluation(tx, { automationId, runId, condition, state }))) return false
      if (isTriggered && !(await requestAutomationRun({ tx, clock, random }, automation, request))) throw new RunInProgress()
      return true
    })
  } catch (error) {
    if (error instanceof RunInProgress) return false
    throw error
  }
}

/** A run has been requested since the automation was read: the result keeps waiting. */
class RunInProgress extends Error {}

async function judgeResult(deps: JudgeDeps, automation: UnevaluatedCondition): Promise<Judgment> {
  const { condition, conditionState: previous, organizationId, runId } = automation
  const run = await findRun(deps.db, { organizationId, runId })
  const now = deps.clock.now()
  try {
    return judge({ condition, facts: await readFacts(deps, automation, run), previous, now })
  } catch (error) {
    deps.log.warn({ err: error, automationId: automation.id, queryRunId: runId }, 'condition evaluation failed')
    const isExplained = error instanceof Refusal || error instanceof RowTooLarge
    const why = isExplained ? error.message : 'It could not be read; the details are in the server log.'
    const finding = `The result of the reference ${JSON.stringify(automation.title)} could not be evaluated. ${why}`
    return unjudged({ finding, previous, now })
  }
}

async function readFacts(deps: JudgeDeps, automation: UnevaluatedCondition, run: Run | undefined): Promise<ResultFacts> {
  const { runId, condition, title } = automation
  if (!run) throw new Error(`There is no run ${runId}.`)
  const facts = { runId, title, rowCount: run.rowCount!, resultHash: run.resultHash! }
  if (condition.kind !== 'value') return facts
  const stored = await cachedResultOf(deps, run).open()
  return { ...facts, column: await readColumn(stored, condition) }
}
