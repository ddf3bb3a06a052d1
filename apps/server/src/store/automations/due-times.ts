import { type RawBuilder, sql } from 'kysely'
import type { Automation, Condition, ConditionState } from '../../model/automation.ts'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'

/** An automation that is due. */
export interface DueAutomation
  extends Pick<Automation, 'id' | 'organizationId' | 'name' | 'instructions' | 'agent' | 'createdBy'> {
  cron: string
  timeZone: string
  dueAt: Date
  /** The store's time when it was found due. */
  foundAt: Date
}

/** A due automation with a condition, which needs a new result of its reference. */
export interface DueWatcher extends DueAutomation {
  condition: Condition
  conditionState: ConditionState | null
}

/**
 * Automations due to run, longest due first, locked until the transaction ends. `skip locked` lets many workers claim at the same time
 * without waiting for one another. An automation with an active run is skipped and stays due.
 */
export async function lockDueAutomations(
  tx: Tx,
  options: { count: number; exceptIds: string[] },
): Promise<DueAutomation[]> {
  const { rows } = await sql<DueAutomation>`${prepared}
    select ${columns}
    from automations as automation
    where automation.next_due_at <= ${storeNow} and automation.condition is null and ${hasNoActiveRun}
      and automation.id <> all (${options.exceptIds}::text[])
    order by automation.next_due_at, automation.id
    limit ${options.count}
    for update of automation skip locked`.execute(tx)
  return rows
}

/** A position in the order in which watchers fall due. */
export interface WatcherPosition {
  dueAt: Date
  id: string
}

/**
 * Due automations that need a new result instead of running, longest due first, after the last one read. Not locked.
 *
 * The order matches the index, so the cost depends on the number of due watchers, not of all watchers.
 */
export async function readDueWatchers(
  db: Db,
  options: { after: WatcherPosition; count: number },
): Promise<DueWatcher[]> {
  const { after } = options
  const { rows } = await sql<DueWatcher>`${prepared}
    select ${columns}, automation.condition, automation.condition_state as "conditionState"
    from automations as automation
    where automation.next_due_at <= ${storeNow} and automation.condition is not null and ${hasNoActiveRun}
      and (automation.next_due_at, automation.id) > (${after.dueAt}::timestamptz, ${after.id})
    order by automation.next_due_at, automation.id
    limit ${options.count}`.execute(db)
  return rows
}

/** Skips automations whose due time has changed since it was read. */
export async function writeNextDueAt(
  db: Db | Tx,
  moved: { automationId: string; dueAt: Date; nextAt: Date | null }[],
): Promise<void> {
  await sql`${prepared}
    update automations
    set next_due_at = moved.next_at
    from unnest(
      ${moved.map(({ automationId }) => automationId)}::text[],
      ${moved.map(({ dueAt }) => dueAt.toISOString())}::timestamptz[],
      ${moved.map(({ nextAt }) => nextAt && nextAt.toISOString())}::timestamptz[]
    ) as moved (id, due_at, next_at)
    where automations.id = moved.id and automations.next_due_at = moved.due_at`.execute(db)
}

const columns: RawBuilder<unknown> = sql`automation.id, automation.organization_id as "organizationId", automation.name,
  automation.instructions, automation.agent, automation.created_by as "createdBy", automation.schedule_cron as cron,
  automation.schedule_time_zone as "timeZone", automation.next_due_at as "dueAt", ${storeNow} as "foundAt"`

/** A subquery per row: with a join, the planner of a store without statistics reads all unfinished runs for each row. */
export const hasNoActiveRun = sql`(
  select agent_runs.id from agent_runs
  where agent_runs.automation_id = automation.id and agent_runs.status in ('pending', 'running')
  limit 1) is null`
