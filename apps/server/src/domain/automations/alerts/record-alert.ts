import type { AlertMessage, AlertRows } from '../../../model/alert.ts'
import type { ConditionState } from '../../../model/automation.ts'
import type { EventContent } from '../../../model/event.ts'
import type { Run } from '../../../model/run.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import { insertAlertChange, insertAlertMessage, type LockedAlert, readUnannouncedRows, writeAlertState } from '../../../store/automations/alert-states.ts'
import type { Tx } from '../../../store/db.ts'
import { insertAlertJobs } from '../../../store/reports/insert-report-jobs.ts'
import { requestAutomationRun } from '../../agent-runs/request-automation-run.ts'
import { notify } from '../../notifications/notify.ts'
import { shortened } from '../../shortened.ts'
import { publishEvent } from '../../webhooks/events/publish-event.ts'
import { type AlertDecision, rank } from './decide-alert.ts'
import { mergeNewRows, newRowObjects } from './new-rows.ts'
import { severities } from '../../../model/alert.ts'

interface RecordDeps {
  tx: Tx
  clock: Clock
  random: Random
  baseUrl: string
}

const findingMaxCharacters = 2000
const notificationMaxCharacters = 300

/**
 * Records a decision in the transaction that has locked the alert: its state, the change, and the message with its event, its report jobs and
 * the agent's run. `run`: the query run that was evaluated, if there was one.
 */
export async function recordAlert(deps: RecordDeps, alert: LockedAlert, decision: AlertDecision, run: Run | null): Promise<void> {
  const { tx } = deps
  const { id: automationId, organizationId } = alert
  const key = { automationId, organizationId }
  const { change, message, quietBecause, announceAt } = decision
  const state = { ...decision.state, finding: shortened(decision.state.finding, findingMaxCharacters) }
  await writeAlertState(tx, { automationId, state, announceAt, evaluated: run && evaluationOf(decision, run, deps.clock.now()) })
  if (change) await insertAlertChange(tx, key, { ...change, finding: shortened(change.finding, findingMaxCharacters), quietBecause })
  if (!message) return
  const announced = { ...message, finding: shortened(message.finding, findingMaxCharacters) }
  const content = eventOf(deps, alert, announced, { queryRunId: state.runId, newRows: await newRowsFor(deps, alert, message) })
  const published = content && (await publishEvent(deps, { organizationId, content }))
  const number = state.number
  await insertAlertMessage(tx, { ...key, number }, { ...announced, at: deps.clock.now(), eventId: published?.eventId ?? null })
  const reached = severities.filter((each) => rank(each) <= rank(message.severity))
  await insertAlertJobs(tx, { automationId, number, severities: reached })
  if (message.kind !== 'fired') return
  await notifyCreator(deps, alert, announced)
  // If a run is active, it sees the same data, and another one would say the same.
  await requestAutomationRun(deps, alert, { trigger: 'condition', triggerId: automationId, note: announced.finding })
}

async function notifyCreator(deps: RecordDeps, { id, organizationId, createdBy: userId, name }: LockedAlert, { finding }: AlertMessage): Promise<void> {
  const message = `${name}: ${shortened(finding, notificationMaxCharacters)}`
  await notify(deps, { organizationId, userId, kind: 'alert_fired', message, link: `/automations/${id}` })
}

function evaluationOf({ state }: AlertDecision, run: Run, now: Date): ConditionState {
  return { runId: run.id, resultHash: run.resultHash, isMet: state.status === 'firing', judgedAt: now.toISOString(), finding: shortened(state.finding, findingMaxCharacters) }
}

/** The rows that a message is about: those of its change, and of earlier ones that were not announced. */
async function newRowsFor({ tx }: RecordDeps, { id, condition }: LockedAlert, { kind }: AlertMessage): Promise<AlertRows | undefined> {
  if (kind !== 'fired' || !condition.tests.some((test) => test.kind === 'new_rows')) return undefined
  return mergeNewRows(await readUnannouncedRows(tx, { automationId: id }))
}

/** Only what people have to act on is an event; that a query fails is announced by its report. */
function eventOf(
  { baseUrl }: RecordDeps,
  { id, name, condition }: LockedAlert,
  { kind, severity, finding }: AlertMessage,
  { queryRunId, newRows }: { queryRunId: string | null; newRows: AlertRows | undefined },
): EventContent | undefined {
  const data = {
    automationId: id,
    automationName: name,
    automationUrl: `${baseUrl}/automations/${id}`,
    severity,
    finding,
    referenceShortId: condition.reference,
    queryRunId: queryRunId ?? '',
  }
  if (kind === 'resolved') return { type: 'automation.alert.resolved', data }
  const found = { newRowCount: newRows?.count ?? 0, newRows: newRows ? newRowObjects(newRows) : [] }
  return kind === 'fired' ? { type: 'automation.alert.fired', data: { ...data, ...found } } : undefined
}
