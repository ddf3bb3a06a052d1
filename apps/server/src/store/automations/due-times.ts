import { type RawBuilder, sql } from 'kysely'
import type { Automation, Condition, ConditionState } from '../../model/automation.ts'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'

/** An automation whose time has come. */
export interface DueAutomation
  extends Pick<Automation, 'id' | 'organizationId' | 'name' | 'instructions' | 'agent' | 'createdBy'> {
  cron: string
  timeZone: string
  dueAt: Date
  /** The store's time when it was found to be due. */
  foundAt: Date
}

/** One that is to be judged by a new result of this reference. */
export interface DueWatcher extends DueAutomation {
  condition: Condition
  conditionState: ConditionState | null
}

/**
 * Those that are to run, longest due first, locked until the transaction ends. `skip locked` lets many workers claim at the same time
 * without waiting for one another. One whose run is still under way is left alone: its time waits.
 */
export async function lockDueAutomations(
  tx: Tx,
  options: { count: number; exceptIds: string[] },
): Promise<DueAutomation[]> {
  const { rows } = await sql<DueAutomation>`${prepared}
    select ${columns}
    from automations as automation
    where automation.next_due_at <= ${storeNow} and automation.condition is null and ${hasNoRunUnderWay}
      and automation.id <> all (${options.exceptIds}::text[])
    order by automation.next_due_at, automation.id
    limit ${options.count}
    for update of automation skip locked`.execute(tx)
  return rows
}

/** A place in the order in which watchers fall due. */
export interface WatcherPlace {
  dueAt: Date
  id: string
}

/**
 * Due automations that ask for a new result instead, longest due first, after the last one that was read. Not locked.
 *
 * In the order of the index: the cost is that of the ones that are due, not of all that watch something.
 */
export async function readDueWatchers(
  db: Db,
  options: { after: WatcherPlace; count: number },
): Promise<DueWatcher[]> {
  const { after } = options
  const { rows } = await sql<DueWatcher>`${prepared}
    select ${columns}, automation.condition, automation.condition_state as "conditionState"
    from automations as automation
    where automation.next_due_at <= ${storeNow} and automation.condition is not null and ${hasNoRunUnderWay}
      and (automation.next_due_at, automation.id) > (${after.dueAt}::timestamptz, ${after.id})
    order by automation.next_due_at, automation.id
    limit ${options.count}`.execute(db)
  return rows
}

/** Unless somebody has done so, or changed the schedule, since it was read. */
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

/** A probe for each row: as a join, the planner of a store without statistics reads all unfinished runs for each of them. */
export const hasNoRunUnderWay = sql`(
  select agent_runs.id from agent_runs
  where agent_runs.automation_id = automation.id and agent_runs.status in ('pending', 'running')
  limit 1) is null`
