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

/**
 * Claims pending runs and marks them as running. Organizations take turns: the one with the fewest runs at this worker comes first,
 * then the one whose oldest run has waited longest. Within an organization, the oldest run comes first. `skip locked` lets many workers
 * claim at the same time: a worker skips a run that another is claiming.
 *
 * The cost grows with the number of organizations that have pending runs, by one step in the index each, not with the number of runs.
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
  const { rows } = await sql<ClaimedAgentRun>`${prepared} ${wakes('chats')}
    with recursive oldest as (
      (select organization_id, requested_at from agent_runs
       where status = 'pending' order by organization_id, requested_at limit 1)
      union all
      select following.* from oldest cross join lateral (
        select organization_id, requested_at from agent_runs
        where status = 'pending' and organization_id > oldest.organization_id
        order by organization_id, requested_at limit 1) as following),
    lane as (
      select organization_id, requested_at as waits_since,
        coalesce((${rooms}::jsonb ->> organization_id)::integer, ${options.roomOfOthers}::integer) as room
      from oldest),
    turns as (
      select organization_id, place
      from lane cross join generate_series(1, least(room, ${options.count}::integer)) as place
      order by place - room, waits_since, organization_id),
    locked as materialized (
      select run.id
      from turns cross join lateral (
        select id from agent_runs
        where organization_id = turns.organization_id and status = 'pending'
        order by requested_at, id
        offset turns.place - 1 limit 1
        for update skip locked) as run
      limit ${options.count}),
    due as (select distinct id from locked),
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
