import { type RawBuilder, sql } from 'kysely'
import type { AlertState } from '../../model/alert.ts'
import type { AutomationInFull, Condition, Schedule } from '../../model/automation.ts'
import type { AgentKind } from '../../model/agent-run.ts'
import type { ItemKey } from '../../model/page.ts'
import type { Db, Tx } from '../db.ts'
import { type AutomationRow, automationFields, latestRunOf, presentRow, referencesOf } from './automation-row.ts'

/** Only `automationEverExisted` finds deleted automations. */
export interface AutomationKey {
  organizationId: string
  automationId: string
}

export async function findAutomation(db: Db | Tx, key: AutomationKey): Promise<AutomationInFull | undefined> {
  const { rows } = await select(sql`where ${isOne(key)}`).execute(db)
  return rows[0] && presentRow(rows[0])
}

/** Locks it against changes and new runs until the transaction ends. */
export async function lockAutomation(tx: Tx, key: AutomationKey): Promise<AutomationInFull | undefined> {
  const { rows } = await select(sql`where ${isOne(key)} for update of automation`).execute(tx)
  return rows[0] && presentRow(rows[0])
}

/** True even if it was deleted, because its history is kept. */
export async function automationEverExisted(db: Db, key: AutomationKey): Promise<boolean> {
  const row = await db
    .selectFrom('automations')
    .select('id')
    .where('id', '=', key.automationId)
    .where('organization_id', '=', key.organizationId)
    .executeTakeFirst()
  return row !== undefined
}

/** Newest first. */
export async function readAutomationsPage(
  db: Db,
  page: { organizationId: string; after?: ItemKey; count: number },
): Promise<{ item: AutomationInFull; key: ItemKey }[]> {
  const { after } = page
  const { rows } = await select(sql`
    where automation.organization_id = ${page.organizationId} and automation.deleted_at is null
      ${after ? sql`and (automation.created_at, automation.id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``}
    order by automation.created_at desc, automation.id desc
    limit ${page.count}`).execute(db)
  return rows.map((row) => ({ item: presentRow(row), key: { createdAt: row.createdAtText, id: row.id } }))
}

/** The ids of those references that exist in the organization, by short id. */
export async function findReferenceIds(
  db: Db | Tx,
  key: { organizationId: string; shortIds: string[] },
): Promise<Map<string, string>> {
  if (key.shortIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('query_references')
    .select(['id', 'short_id'])
    .where('organization_id', '=', key.organizationId)
    .where('short_id', 'in', key.shortIds)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.short_id, row.id]))
}

/** The stored content of an automation, with references by id. */
export interface AutomationContent {
  name: string
  instructions: string
  agent: AgentKind
  enabled: boolean
  strict: boolean
  schedule: Schedule | null
  nextDueAt: Date | null
  condition: { content: Condition; referenceId: string } | null
  /** What remains of an alert's state when the alert is changed. */
  alertState: AlertState | null
  referenceIds: string[]
}

export async function insertAutomation(
  tx: Tx,
  automation: Omit<AutomationContent, 'alertState'> & { id: string; organizationId: string; createdBy: string; now: Date },
): Promise<void> {
  const { id, now } = automation
  await tx
    .insertInto('automations')
    .values({
      id,
      organization_id: automation.organizationId,
      name: automation.name,
      instructions: automation.instructions,
      agent: automation.agent,
      enabled: automation.enabled,
      strict: automation.strict,
      ...scheduleColumns(automation.schedule),
      next_due_at: automation.nextDueAt,
      ...conditionColumns(automation.condition),
      created_by: automation.createdBy,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await writeReferences(tx, id, automation.referenceIds)
}

/** Fields left out are kept. A new condition resets its state and the result waiting to be evaluated. */
export async function updateAutomation(
  tx: Tx,
  automationId: string,
  change: Partial<AutomationContent> & { now: Date },
): Promise<void> {
  const { name, instructions, agent, enabled, strict, schedule, nextDueAt, condition, alertState = null, referenceIds } = change
  await tx
    .updateTable('automations')
    .set({
      ...(name !== undefined && { name }),
      ...(instructions !== undefined && { instructions }),
      ...(agent && { agent }),
      ...(enabled !== undefined && { enabled }),
      ...(strict !== undefined && { strict }),
      ...(schedule !== undefined && scheduleColumns(schedule)),
      ...(nextDueAt !== undefined && { next_due_at: nextDueAt }),
      ...(condition !== undefined && {
        ...conditionColumns(condition),
        condition_state: null,
        unjudged_run_id: null,
        alert_state: alertState && JSON.stringify(alertState),
        ...(condition?.content.kind !== 'alert' && { snoozed_until: null, announce_at: null }),
      }),
      // Results from before or during the pause are not news when it resumes.
      ...(enabled === false && { unjudged_run_id: null }),
      updated_at: sql<Date>`greatest(updated_at, ${change.now})`,
      // Has the trigger keep the former references, even if nothing else changes.
      revision: sql<number>`revision + 1`,
    })
    .where('id', '=', automationId)
    .execute()
  if (!referenceIds) return
  await tx.deleteFrom('automation_references').where('automation_id', '=', automationId).execute()
  await writeReferences(tx, automationId, referenceIds)
}

/** False if it does not exist. */
export async function markAutomationDeleted(db: Db, key: AutomationKey, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('automations')
    .set({ deleted_at: now, updated_at: now, next_due_at: null, unjudged_run_id: null, announce_at: null })
    .where('id', '=', key.automationId)
    .where('organization_id', '=', key.organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function writeReferences(tx: Tx, automationId: string, referenceIds: string[]): Promise<void> {
  if (referenceIds.length === 0) return
  const rows = referenceIds.map((referenceId, index) => ({
    automation_id: automationId,
    position: index + 1,
    reference_id: referenceId,
  }))
  await tx.insertInto('automation_references').values(rows).execute()
}

const scheduleColumns = (schedule: Schedule | null) => ({
  schedule_cron: schedule?.cron ?? null,
  schedule_time_zone: schedule?.timeZone ?? null,
})

const conditionColumns = (condition: AutomationContent['condition']) => ({
  condition: condition && JSON.stringify(condition.content),
  watched_reference_id: condition?.referenceId ?? null,
})

const isOne = (key: AutomationKey) =>
  sql`automation.id = ${key.automationId} and automation.organization_id = ${key.organizationId}
    and automation.deleted_at is null`

const select = (rest: RawBuilder<unknown>) => sql<AutomationRow>`
  select ${automationFields}, ${referencesOf(sql`automation.id`)} as "references"
  from automations as automation
  left join lateral (${latestRunOf(sql`automation.id`)}) as run on true
  ${rest}`
