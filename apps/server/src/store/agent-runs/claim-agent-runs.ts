import { sql } from 'kysely'
import type { AgentRun } from '../../model/agent-run.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { wakes } from '../wakeups.ts'
import type { GroupKey } from '../../model/caller.ts'
import type { Role } from '../../model/people.ts'

/** A run leased to one worker, with everything needed to begin it. */
export interface ClaimedAgentRun
  extends Pick<
    AgentRun,
    'id' | 'organizationId' | 'automationId' | 'chatId' | 'agent' | 'trigger' | 'instructions' | 'requestedAt'
  > {
  startedAt: Date
  leaseNumber: number
  /** 1 for the first attempt. */
  attemptNumber: number
  userId: string
  /** The user's current role in the organization; null if no longer a member. */
  role: Role | null
  /** Set if a key that belongs to groups asked. */
  groupKey?: GroupKey | null
  /** Whether it fails if its summary has a figure that is not proven. */
  isStrict: boolean
  /** shortIds of the automation's references that have not been deleted. */
  references: string[]
  traceparent?: string | null
}

/** How many of the oldest pending runs are read to decide which organizations come first. */
const scanCount = 200

/**
 * Claims pending runs and marks them as running. The organization whose oldest run has waited longest comes first, with as many runs
 * as it has room for, oldest first. `skip locked` lets many workers claim at the same time: a worker skips a run that another is
 * claiming.
 */
export async function claimAgentRuns(
  db: Db,
  options: {
    workerId: string
    leaseMs: number
    count: number
    /** How many more runs this worker takes from each organization. For organizations not listed, `roomOfOthers` applies. */
    rooms: Map<string, number>
    roomOfOthers: number
  },
): Promise<ClaimedAgentRun[]> {
  const rooms = JSON.stringify(Object.fromEntries(options.rooms))
  const full = [...options.rooms].filter(([, room]) => room <= 0).map(([organizationId]) => organizationId)
  const { rows } = await sql<ClaimedAgentRun>`${prepared} ${wakes('chats')}
    with oldest as (
      select organization_id, requested_at from agent_runs
      where status = 'pending' and organization_id <> all (${full}::text[])
      order by requested_at, id
      limit ${scanCount}),
    lane as (
      select organization_id, min(requested_at) as waits_since from oldest
      group by organization_id order by waits_since, organization_id),
    due as (
      select run.id
      from lane cross join lateral (
        select id from agent_runs
        where organization_id = lane.organization_id and status = 'pending'
        order by requested_at, id
        limit coalesce((${rooms}::jsonb ->> lane.organization_id)::integer, ${options.roomOfOthers}::integer)
        for update skip locked) as run
      limit ${options.count}),
    claimed as (
      update agent_runs as run
      set status = 'running', started_at = ${storeNow}, attempt_count = attempt_count + 1,
        lease_number = lease_number + 1, lease_owner = ${options.workerId}, lease_expires_at = ${storeNowPlus(options.leaseMs)}
      from due where run.id = due.id
      returning run.*),
    -- Lets readers of the chat see that the run has begun.
    chat as (
      update chats set revision = revision + 1, updated_at = ${storeNow} from claimed where chats.id = claimed.chat_id)
    select claimed.id, claimed.organization_id as "organizationId", automation_id as "automationId",
      chat_id as "chatId", agent, trigger, instructions, requested_at as "requestedAt",
      started_at as "startedAt",
      lease_number as "leaseNumber", attempt_count as "attemptNumber", claimed.user_id as "userId", memberships.role,
      claimed.traceparent,
      (select jsonb_build_object('id', id, 'groupIds', group_ids) from api_keys
        where claimed.automation_id is null and id = claimed.trigger_id and organization_id = claimed.organization_id and group_ids is not null) as "groupKey",
      coalesce((select strict from automations where id = claimed.automation_id), false) as "isStrict",
      array(
        select reference.short_id
        from automation_references as looked_at join query_references as reference on reference.id = looked_at.reference_id
        where looked_at.automation_id = claimed.automation_id and reference.deleted_at is null
        order by looked_at.position) as "references"
    from claimed
    left join memberships
      on memberships.organization_id = claimed.organization_id and memberships.user_id = claimed.user_id
    order by requested_at, claimed.id`.execute(db)
  return rows
}
