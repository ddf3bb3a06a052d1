import { sql } from 'kysely'
import type { AgentRun } from '../../model/agent-run.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { wakes } from '../wakeups.ts'
import type { Role } from '../../model/people.ts'

/** A run in the hands of one worker, until its lease expires, with all that is needed to begin it. */
export interface ClaimedAgentRun
  extends Pick<
    AgentRun,
    'id' | 'organizationId' | 'automationId' | 'chatId' | 'agent' | 'trigger' | 'instructions' | 'requestedAt'
  > {
  startedAt: Date
  leaseNumber: number
  /** 1 for who begins it first. */
  attemptNumber: number
  userId: string
  /** What the user is in the organization now; null when no longer a member. */
  role: Role | null
  /** shortIds of the automation's references that have not been deleted. */
  references: string[]
}

/** So many of the oldest pending runs are looked at to learn whose turn it is. */
const lookCount = 200

/**
 * Takes pending runs and makes them running: the organization whose oldest run waits longest comes first, and gives as many as
 * it has room for, oldest first. `skip locked` lets many workers claim at the same time: who finds a run being claimed takes
 * the one after it.
 */
export async function claimAgentRuns(
  db: Db,
  options: {
    workerId: string
    leaseMs: number
    count: number
    /** How many more runs of an organization this worker takes; the others' is `roomOfOthers`. */
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
      limit ${lookCount}),
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
    -- Whoever watches the chat sees that it has begun.
    chat as (
      update chats set revision = revision + 1, updated_at = ${storeNow} from claimed where chats.id = claimed.chat_id)
    select claimed.id, claimed.organization_id as "organizationId", automation_id as "automationId",
      chat_id as "chatId", agent, trigger, instructions, requested_at as "requestedAt",
      started_at as "startedAt",
      lease_number as "leaseNumber", attempt_count as "attemptNumber", claimed.user_id as "userId", memberships.role,
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
