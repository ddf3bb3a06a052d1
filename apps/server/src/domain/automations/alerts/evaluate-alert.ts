import type { AlertCondition, AlertState } from '../../../model/alert.ts'
import type { Run } from '../../../model/run.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { Random } from '../../../ports/random.ts'
import { yieldToEventLoop } from '../../../ports/yield-to-event-loop.ts'
import type { ResultStore } from '../../../results/result-store.ts'
import { RowTooLarge } from '../../../results/row-splitter.ts'
import { lockAlert, readAlertsToAnnounce } from '../../../store/automations/alert-states.ts'
import { clearUnevaluated, readUnevaluated, type UnevaluatedAutomation } from '../../../store/automations/conditions.ts'
import { insertResultMeasures } from '../../../store/automations/result-measures.ts'
import type { Db } from '../../../store/db.ts'
import type { FindReference } from '../../../store/references/references-table.ts'
import { findRun } from '../../../store/runs/runs-table.ts'
import type { OpenKeptResultDeps } from '../../history/open-kept-result.ts'
import { Refusal } from '../../refusal.ts'
import { cachedResultOf } from '../../results/results.ts'
import { type AlertEvidence, type AlertWork, evaluateFrom } from './alert-work.ts'
import { decideAlert } from './decide-alert.ts'
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

type UnevaluatedAlert = UnevaluatedAutomation & { condition: AlertCondition }

/** What the result of a run says about an alert. */
interface ResultEvidence extends AlertEvidence {
  run: Run
}

/** Evaluates everything that is waiting. */
export const evaluateAlerts = (deps: EvaluateAlertDeps, control: { isStopping(): boolean }): Promise<void> =>
  evaluateFrom({ alerts: makeSqlAlertWork(deps), log: deps.log }, control)

function makeSqlAlertWork(deps: EvaluateAlertDeps): AlertWork<UnevaluatedAlert, ResultEvidence> {
  const { db } = deps
  return {
    readWaiting: async (options) => (await readUnevaluated(db, { ...options, kind: 'alert' })) as UnevaluatedAlert[],
    async observe(alert) {
      // The embedded store works on this thread.
      await yieldToEventLoop()
      const { organizationId, runId, condition, referenceId } = alert
      const run = await findRun(db, { organizationId, runId })
      if (!run || (await isForeign(deps, alert, run))) return null
      const observed = await observe(deps, alert, run)
      const history = 'result' in observed ? await readHistory(db, { organizationId, referenceId, tests: condition.tests, at: observed.result.at }) : []
      return { run, observed, history }
    },
    clear: ({ id: automationId, runId }) => clearUnevaluated(db, { automationId, runId }),
    record: (alert, { run, observed }, decide) =>
      db.transaction().execute(async (tx) => {
        const { id: automationId, organizationId, runId, condition, referenceId } = alert
        const locked = await lockAlert(tx, { organizationId, automationId, waiting: { runId, condition } })
        if (!locked) return undefined
        const decision = decide(locked)
        if ('result' in observed) await insertResultMeasures(tx, { organizationId, referenceId }, measuresOfResult(observed.result))
        await recordAlert({ ...deps, tx }, locked, decision, run)
        return decision
      }),
    readToAnnounce: (options) => readAlertsToAnnounce(db, options),
    announce: (key, decide) =>
      db.transaction().execute(async (tx) => {
        const locked = await lockAlert(tx, { ...key, waiting: 'message' })
        if (!locked) return undefined
        const decision = decide(locked)
        await recordAlert({ ...deps, tx }, locked, decision, null)
        return decision
      }),
  }
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
    await recordAlert({ ...deps, tx }, locked, decideAlert({ ...locked, settings: condition, observed, history: [] }), null)
  })
}

/** A result that answers another question, or a run that a person stopped. */
async function isForeign(deps: EvaluateAlertDeps, { organizationId, condition }: UnevaluatedAlert, run: Run): Promise<boolean> {
  if (run.isStopped) return true
  const reference = await deps.findReference({ organizationId, shortId: condition.reference })
  return !reference || !hasDefaultValues(run, reference.parameters)
}

async function observe(deps: EvaluateAlertDeps, alert: UnevaluatedAlert, run: Run): Promise<AlertEvidence['observed']> {
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
