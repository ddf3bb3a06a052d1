import { sql } from 'kysely'
import type { AlertChange, AlertCondition, AlertMessage, AlertRows, AlertState } from '../../model/alert.ts'
import type { Automation, ConditionState } from '../../model/automation.ts'
import type { Db, Tx } from '../db.ts'
import { storableJson, storableText } from '../chats/storable-json.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'

/** An alert, locked until the transaction ends. */
export interface LockedAlert extends Pick<Automation, 'id' | 'organizationId' | 'name' | 'instructions' | 'agent' | 'createdBy' | 'snoozedUntil'> {
  condition: AlertCondition
  state: AlertState | null
  /** Of its last change. */
  number: number
  /** The store's time: whether the alert is quiet must not depend on which process asks. */
  now: Date
}

/**
 * Locks an alert to decide about it. Undefined if there is nothing to decide any more: with a `runId`, because the result has been evaluated or
 * replaced or the alert was changed; for a `message`, because none is due. A null `runId`: there is no result to evaluate, and why is known.
 */
export async function lockAlert(
  tx: Tx,
  key: { organizationId: string; automationId: string; waiting: { runId: string | null; condition: AlertCondition } | 'message' },
): Promise<LockedAlert | undefined> {
  const { waiting } = key
  const isWaiting =
    waiting === 'message'
      ? sql`announce_at <= ${storeNow}`
      : sql`${waiting.runId === null ? sql`true` : sql`unjudged_run_id = ${waiting.runId}`} and condition = ${JSON.stringify(waiting.condition)}::jsonb`
  const { rows } = await sql<LockedAlert>`
    select id, organization_id as "organizationId", name, instructions, agent, created_by as "createdBy", snoozed_until as "snoozedUntil",
      condition, alert_state as state, alert_number as number, ${storeNow} as now
    from automations
    where id = ${key.automationId} and organization_id = ${key.organizationId} and deleted_at is null
      and condition ->> 'kind' = 'alert' and ${isWaiting}
    for update`.execute(tx)
  return rows[0]
}

/** Writes what was decided about an alert that this transaction has locked. */
export async function writeAlertState(
  tx: Tx,
  alert: { automationId: string; state: AlertState; announceAt: Date | null; evaluated: ConditionState | null },
): Promise<void> {
  const { state, evaluated } = alert
  await sql`${prepared}
    update automations
    set alert_state = ${storableJson(state)}::jsonb, alert_number = ${state.number}, announce_at = ${alert.announceAt},
      condition_state = coalesce(${evaluated && storableJson(evaluated)}::jsonb, condition_state),
      unjudged_run_id = case when ${evaluated !== null} then null else unjudged_run_id end
    where id = ${alert.automationId}`.execute(tx)
}

export async function insertAlertChange(
  tx: Tx,
  key: { organizationId: string; automationId: string },
  change: AlertChange & { quietBecause: 'snoozed' | 'muted' | null },
): Promise<void> {
  const { number, at, status, severity, finding, runId, rows } = change
  await tx
    .insertInto('alert_changes')
    .values({
      automation_id: key.automationId,
      organization_id: key.organizationId,
      number,
      at,
      status,
      severity,
      finding: storableText(finding),
      run_id: runId,
      rows: rows && storableJson(rows),
      announced_by: null,
      quiet_because: change.quietBecause,
    })
    .execute()
}

/** A message about all changes that were not announced yet, up to `number`. The key makes a second message about the same change impossible. */
export async function insertAlertMessage(
  tx: Tx,
  key: { organizationId: string; automationId: string; number: number },
  message: AlertMessage & { at: Date; eventId: string | null },
): Promise<void> {
  const { automationId, number } = key
  await tx
    .insertInto('alert_messages')
    .values({
      automation_id: automationId,
      number,
      organization_id: key.organizationId,
      kind: message.kind,
      severity: message.severity,
      finding: storableText(message.finding),
      at: message.at,
      event_id: message.eventId,
    })
    .execute()
  await tx
    .updateTable('alert_changes')
    .set({ announced_by: number })
    .where('automation_id', '=', automationId)
    .where('announced_by', 'is', null)
    .where('number', '<=', number)
    .execute()
}

/** The new rows of the changes that no message has announced, oldest first. */
export async function readUnannouncedRows(tx: Tx, key: { automationId: string }): Promise<AlertRows[]> {
  const { rows } = await sql<{ rows: AlertRows }>`
    select rows from alert_changes
    where automation_id = ${key.automationId} and announced_by is null and rows is not null
    order by number`.execute(tx)
  return rows.map((change) => change.rows)
}

/** Alerts whose quiet time has ended and that have something to announce, longest waiting first. Not locked. */
export async function readAlertsToAnnounce(db: Db, options: { count: number }): Promise<{ automationId: string; organizationId: string }[]> {
  const { rows } = await sql<{ automationId: string; organizationId: string }>`${prepared}
    select id as "automationId", organization_id as "organizationId" from automations
    where announce_at <= ${storeNow}
    order by announce_at, id limit ${options.count}`.execute(db)
  return rows
}

/** Its waiting message, if any, is decided again. */
export async function writeSnooze(tx: Tx, snooze: { automationId: string; until: Date | null; now: Date }): Promise<void> {
  await sql`
    update automations
    set snoozed_until = ${snooze.until}, announce_at = case when announce_at is null then null else ${storeNow} end,
      updated_at = greatest(updated_at, ${snooze.now})
    where id = ${snooze.automationId}`.execute(tx)
}

export interface ListedAlertChange extends AlertChange {
  quietBecause: 'snoozed' | 'muted' | null
  /** When people were notified; null if they were not. */
  announcedAt: Date | null
}

/** Newest first. */
export async function readAlertChanges(
  db: Db,
  key: { organizationId: string; automationId: string; beforeNumber: number | null; count: number },
): Promise<ListedAlertChange[]> {
  const { rows } = await sql<ListedAlertChange>`
    select change.number, change.at, change.status, change.severity, change.finding, change.run_id as "runId", change.rows,
      change.quiet_because as "quietBecause", message.at as "announcedAt"
    from alert_changes as change
    left join alert_messages as message on message.automation_id = change.automation_id and message.number = change.announced_by
    where change.automation_id = ${key.automationId} and change.organization_id = ${key.organizationId}
      ${key.beforeNumber === null ? sql`` : sql`and change.number < ${key.beforeNumber}`}
    order by change.number desc limit ${key.count}`.execute(db)
  return rows
}

export interface AlertMessageInFull extends AlertMessage {
  automationName: string
  at: Date
  /** The changes that it announces, oldest first. */
  changes: AlertChange[]
}

/** A message; without a number, the latest one. */
export async function findAlertMessage(
  db: Db,
  key: { organizationId: string; automationId: string; number: number | null },
): Promise<AlertMessageInFull | undefined> {
  const { rows } = await sql<Omit<AlertMessageInFull, 'changes'> & { number: number }>`
    select message.kind, message.severity, message.finding, message.at, message.number, automation.name as "automationName"
    from alert_messages as message join automations as automation on automation.id = message.automation_id
    where message.automation_id = ${key.automationId} and message.organization_id = ${key.organizationId}
      ${key.number === null ? sql`` : sql`and message.number = ${key.number}`}
    order by message.number desc limit 1`.execute(db)
  if (!rows[0]) return undefined
  const { number, ...message } = rows[0]
  const { rows: changes } = await sql<AlertChange>`
    select number, at, status, severity, finding, run_id as "runId", rows from alert_changes
    where automation_id = ${key.automationId} and organization_id = ${key.organizationId} and announced_by = ${number}
    order by number`.execute(db)
  return { ...message, changes }
}
