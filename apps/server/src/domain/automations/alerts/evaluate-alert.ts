import type { AlertCondition, AlertState } from '../../../model/alert.ts'
import type { Run } from '../../../model/run.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { Random } from '../../../ports/random.ts'
import type { ResultStore } from '../../../results/result-store.ts'
import { RowTooLarge } from '../../../results/row-splitter.ts'
import { lockAlert, readAlertsToAnnounce } from '../../../store/automations/alert-states.ts'
import { clearUnevaluated, type UnevaluatedAutomation } from '../../../store/automations/conditions.ts'
import { insertResultMeasures } from '../../../store/automations/result-measures.ts'
import type { Db } from '../../../store/db.ts'
import type { FindReference } from '../../../store/references/references-table.ts'
import { findRun } from '../../../store/runs/runs-table.ts'
import type { OpenKeptResultDeps } from '../../history/open-kept-result.ts'
import { Refusal } from '../../refusal.ts'
import { cachedResultOf } from '../../results/results.ts'
import { type AlertInput, decideAlert } from './decide-alert.ts'
import { hasDefaultValues } from './has-default-values.ts'
import { observeResult } from './observe-result.ts'
import { openEarlierResult } from './open-earlier-result.ts'
import { readHistory } from './read-history.ts'
import { recordAlert } from './record-alert.ts'

export interface EvaluateAlertDeps extends OpenKeptResultDeps {
  db: Db
  clock: Clock
  random: Random
  log: Log
  results: ResultStore
  resultLifetimeMs: number
  findReference: FindReference
  baseUrl: string
}

export type UnevaluatedAlert = UnevaluatedAutomation & { condition: AlertCondition }

/**
 * Evaluates an alert with a new result: read → decide → record. The result is read outside the transaction, which then locks the alert,
 * decides from its state, and writes the state, the change, its event and its report jobs together. So a change is announced once, however many
 * workers evaluate it at the same time and whichever of them die.
 */
export async function evaluateAlert(deps: EvaluateAlertDeps, alert: UnevaluatedAlert): Promise<void> {
  const { id: automationId, organizationId, runId, condition, referenceId } = alert
  const run = await findRun(deps.db, { organizationId, runId })
  if (!run || (await isForeign(deps, alert, run))) {
    await clearUnevaluated(deps.db, { automationId, runId })
    return
  }
  const observed = await observe(deps, alert, run)
  const history = 'result' in observed ? await readHistory(deps.db, { organizationId, referenceId, tests: condition.tests, at: observed.result.at }) : []
  const recorded = await deps.db.transaction().execute(async (tx) => {
    const locked = await lockAlert(tx, { organizationId, automationId, waiting: { runId, condition } })
    if (!locked) return undefined
    const decision = decideAlert({ ...locked, settings: condition, observed, history, now: deps.clock.now() })
    if ('result' in observed) await insertResultMeasures(tx, { organizationId, referenceId }, measuresOfResult(observed.result))
    await recordAlert({ ...deps, tx }, locked, decision, run)
    return decision
  })
  if (!recorded) return
  const { state, message } = recorded
  deps.log.info({ automationId, queryRunId: runId, status: state.status, message: message?.kind ?? null, finding: state.finding }, 'alert evaluated')
}

/** The alert cannot be evaluated, because no result could be requested. */
export async function failAlert(
  deps: Pick<EvaluateAlertDeps, 'db' | 'clock' | 'random' | 'baseUrl'>,
  alert: { automationId: string; organizationId: string; condition: AlertCondition },
  failure: string,
): Promise<void> {
  const { condition, ...key } = alert
  await deps.db.transaction().execute(async (tx) => {
    const locked = await lockAlert(tx, { ...key, waiting: { runId: null, condition } })
    if (!locked) return
    const observed = { failure, runId: null }
    await recordAlert({ ...deps, tx }, locked, decideAlert({ ...locked, settings: condition, observed, history: [], now: deps.clock.now() }), null)
  })
}

/** Sends the messages that have waited for the end of a quiet time. */
export async function announceAlerts(deps: EvaluateAlertDeps, control: { isStopping(): boolean }): Promise<void> {
  const due = await readAlertsToAnnounce(deps.db, { count: 50 })
  for (const key of due) {
    if (control.isStopping()) return
    await deps.db.transaction().execute(async (tx) => {
      const locked = await lockAlert(tx, { ...key, waiting: 'message' })
      if (!locked) return
      const decision = decideAlert({ ...locked, settings: locked.condition, observed: null, history: [], now: deps.clock.now() })
      await recordAlert({ ...deps, tx }, locked, decision, null)
    })
  }
}

/** A result that answers another question, or a run that a person stopped. */
async function isForeign(deps: EvaluateAlertDeps, { organizationId, condition }: UnevaluatedAlert, run: Run): Promise<boolean> {
  if (run.isStopped) return true
  const reference = await deps.findReference({ organizationId, shortId: condition.reference })
  return !reference || !hasDefaultValues(run, reference.parameters)
}

async function observe(deps: EvaluateAlertDeps, alert: UnevaluatedAlert, run: Run): Promise<NonNullable<AlertInput['observed']>> {
  const { condition, title, organizationId, referenceId } = alert
  const name = JSON.stringify(title)
  if (run.status === 'failed') return { failure: `The query ${name} failed: ${run.failureReason}`, runId: run.id }
  try {
    const previousRunId = previousRunOf(alert)
    const isAboutRows = condition.tests.some(({ kind }) => kind === 'new_rows')
    const previous = isAboutRows && previousRunId ? await openEarlierResult(deps, { organizationId, referenceId, runId: previousRunId }) : null
    const { id: runId, completedAt, rowCount } = run
    const open = () => cachedResultOf(deps, run).open()
    return { result: await observeResult({ runId, at: completedAt!, rowCount: rowCount!, open }, condition.tests, previous) }
  } catch (error) {
    deps.log.warn({ err: error, automationId: alert.id, queryRunId: run.id }, 'alert evaluation failed')
    const isExplained = error instanceof Refusal || error instanceof RowTooLarge
    const why = isExplained ? error.message : 'The details are in the server log.'
    return { failure: `The result of ${name} could not be read. ${why}`, runId: run.id }
  }
}

const previousRunOf = ({ alertState }: { alertState: AlertState | null }) => alertState?.runId ?? null

const measuresOfResult = ({ runId, at, figures }: { runId: string; at: Date; figures: Record<string, string | null> }) =>
  Object.entries(figures).map(([measure, value]) => ({ runId, at, measure, value, fault: null }))
