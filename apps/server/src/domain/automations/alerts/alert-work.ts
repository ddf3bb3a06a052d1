import type { AlertCondition } from '../../../model/alert.ts'
import type { Log } from '../../../ports/log.ts'
import { type AlertDecision, type AlertInput, decideAlert } from './decide-alert.ts'

/**
 * Evaluating alerts: read → observe → decide and record. What a result says is read outside any transaction, because that takes time. Then one
 * transaction locks the alert, decides from its state, and writes the state, the change and the message together. So a change is announced
 * once, however many workers evaluate it at the same time and whichever of them die.
 */
export interface AlertKey {
  automationId: string
  organizationId: string
}

export type AlertEvidence = Pick<AlertInput, 'history'> & { observed: NonNullable<AlertInput['observed']> }

/** An alert that no other transaction can change now. */
export interface AlertToDecide extends Pick<AlertInput, 'state' | 'snoozedUntil' | 'now'> {
  condition: Pick<AlertCondition, 'tests' | 'muteWindows'>
}

export type DecideLocked = (locked: AlertToDecide) => AlertDecision

/** What evaluating alerts needs from a store. There are two: SQL, and the simulator's in-memory store. */
export interface AlertWork<Alert extends { id: string; runId: string } = { id: string; runId: string }, Evidence extends AlertEvidence = AlertEvidence> {
  /** Alerts with a result to evaluate, ordered by id. Not locked. */
  readWaiting(options: { afterId: string; count: number }): Promise<Alert[]>
  /** Null: the result says nothing about the alert. */
  observe(alert: Alert): Promise<Evidence | null>
  /** The result has no effect on the alert. */
  clear(alert: Alert): Promise<void>
  /** In one transaction: locks, decides, records. Undefined if the result has been evaluated or replaced, or the alert was changed. */
  record(alert: Alert, evidence: Evidence, decide: DecideLocked): Promise<AlertDecision | undefined>
  /** Alerts whose quiet time has ended while a message waits. Not locked. */
  readToAnnounce(options: { count: number }): Promise<AlertKey[]>
  /** In one transaction, as `record`. Undefined if no message waits any more. */
  announce(key: AlertKey, decide: DecideLocked): Promise<AlertDecision | undefined>
}

const batchCount = 20
const announcedCount = 50

/** Evaluates all alerts with a new result, then sends the messages that have waited for the end of a quiet time. */
export async function evaluateFrom<Alert extends { id: string; runId: string }, Evidence extends AlertEvidence>(
  { alerts, log }: { alerts: AlertWork<Alert, Evidence>; log: Log },
  control: { isStopping(): boolean },
): Promise<void> {
  let afterId = ''
  while (!control.isStopping()) {
    const batch = await alerts.readWaiting({ afterId, count: batchCount })
    for (const alert of batch) {
      if (control.isStopping()) return
      await evaluateOne({ alerts, log }, alert)
    }
    if (batch.length < batchCount) break
    afterId = batch.at(-1)!.id
  }
  if (control.isStopping()) return
  for (const key of await alerts.readToAnnounce({ count: announcedCount })) {
    if (control.isStopping()) return
    await alerts.announce(key, (locked) => decideAlert({ ...locked, settings: locked.condition, observed: null, history: [] }))
  }
}

async function evaluateOne<Alert extends { id: string; runId: string }, Evidence extends AlertEvidence>(
  { alerts, log }: { alerts: AlertWork<Alert, Evidence>; log: Log },
  alert: Alert,
): Promise<void> {
  const evidence = await alerts.observe(alert)
  if (!evidence) return alerts.clear(alert)
  const decision = await alerts.record(alert, evidence, (locked) => decideAlert({ ...evidence, ...locked, settings: locked.condition }))
  if (!decision) return
  const { state, message } = decision
  log.info(
    { automationId: alert.id, queryRunId: alert.runId, status: state.status, message: message?.kind ?? null, finding: state.finding },
    'alert evaluated',
  )
}
