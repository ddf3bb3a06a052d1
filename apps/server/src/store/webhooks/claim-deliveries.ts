import { sql } from 'kysely'
import type { Claim, ClaimedDelivery, ClaimOptions } from '../../model/claimed-delivery.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'

/** Lanes that one statement looks at. More endpoints than this with something pending take their turns. */
const lanesAtOnce = 500

interface Row extends ClaimedDelivery {
  laneCount: number
  lastLane: string
  earliestDueAt: Date | null
  claimedAt: Date
}

export interface LookedClaim extends Claim {
  /** When the first delivery fell due of those that enabled endpoints have in the lanes that were looked at; null if none has. */
  earliestDueAt: Date | null
  /** The store's time of the claim. */
  claimedAt: Date
}

/**
 * Takes due deliveries, lane by lane.
 *
 * The lanes are found by hopping through their index: one probe an endpoint that has anything pending, however much that is. From each
 * lane come as many as the endpoint has room for, so neither a backlog nor a receiver that hangs costs the others more than
 * that one probe. `skip locked` lets many workers claim at the same time.
 *
 * What is due before `dueFrom` is passed over, in the index. While somebody holds an old snapshot (a backup, say), entries of what has
 * been delivered since cannot be removed from it, and each lane begins with them; looking up which of them are still there took 74 ms
 * with 50,000 of them, and takes 0.4 ms with a `dueFrom` that is later than theirs. claim-floor.ts says which one is safe.
 *
 * The rows are found again by where they lie (`ctid`): locked, they stay there until the statement is over.
 *
 * A claim that is lost in a crash of the server is only made again, so nobody waits for it to reach the disk. Attempts are still
 * recorded once: what is recorded names the attempt's number beside the lease's. The setting ends with the statement.
 */
export async function claimDeliveries(db: Db, options: ClaimOptions & { dueFrom: Date }): Promise<LookedClaim> {
  const { dueFrom } = options
  const rooms = JSON.stringify(Object.fromEntries(options.rooms))
  const { rows } = await sql<Row>`${prepared}
    with recursive lane (endpoint_id, due_at, number) as (
      (select endpoint_id, next_attempt_at, 1
       from webhook_deliveries
       where state = 'pending' and endpoint_id > ${options.afterLane} and next_attempt_at >= ${dueFrom}
       order by endpoint_id, next_attempt_at
       limit 1)
      union all
      select next.endpoint_id, next.next_attempt_at, lane.number + 1
      from lane cross join lateral (
        select endpoint_id, next_attempt_at
        from webhook_deliveries
        where state = 'pending' and endpoint_id > lane.endpoint_id and next_attempt_at >= ${dueFrom}
        order by endpoint_id, next_attempt_at
        limit 1) as next
      where lane.number < ${lanesAtOnce}
    ),
    served as materialized (
      select lane.endpoint_id, lane.due_at, endpoint.*
      from lane
      -- The limit keeps the planner from reordering: lanes are to be served in their order.
      cross join lateral (
        select endpoint.organization_id, endpoint.url, endpoint.secret, endpoint.state
        from webhook_endpoints as endpoint join organizations on organizations.id = endpoint.organization_id
        where endpoint.id = lane.endpoint_id and endpoint.deleted_at is null and organizations.webhooks_enabled
        limit 1) as endpoint
      where lane.due_at <= ${storeNow}
    ),
    due as (
      select delivery.ctid, served.organization_id, served.url, served.secret
      from served
      cross join lateral (
        select ctid
        from webhook_deliveries
        where served.state = 'enabled' and endpoint_id = served.endpoint_id and state = 'pending'
          and next_attempt_at >= served.due_at and next_attempt_at <= ${storeNow}
          and (lease_expires_at is null or lease_expires_at <= ${storeNow})
        order by next_attempt_at
        limit coalesce((${rooms}::jsonb ->> served.endpoint_id)::integer, ${options.roomOfOthers}::integer)
        for update skip locked) as delivery
      limit ${options.count}
    ),
    -- A disabled endpoint gets tests only. They have an index of their own: it may have very many others that are not held yet.
    due_test as (
      select delivery.ctid, served.organization_id, served.url, served.secret
      from served
      cross join lateral (
        select ctid
        from webhook_deliveries
        where served.state = 'disabled' and endpoint_id = served.endpoint_id and state = 'pending' and is_test
          and next_attempt_at >= served.due_at and next_attempt_at <= ${storeNow}
          and (lease_expires_at is null or lease_expires_at <= ${storeNow})
        order by next_attempt_at
        limit coalesce((${rooms}::jsonb ->> served.endpoint_id)::integer, ${options.roomOfOthers}::integer)
        for update skip locked) as delivery
      limit ${options.count} - (select count(*) from due)
    ),
    claimed as (
      update webhook_deliveries as delivery
      set lease_number = delivery.lease_number + 1, lease_owner = ${options.workerId},
        lease_expires_at = ${storeNowPlus(options.leaseMs)}
      from (select * from due union all select * from due_test) as due, webhook_events as event
      where delivery.ctid = due.ctid and event.id = delivery.event_id
      returning delivery.id, delivery.lease_number as "leaseNumber", delivery.attempt_count + 1 as "attemptNumber",
        event.id as "eventId", event.body,
        delivery.endpoint_id as "endpointId", due.organization_id as "organizationId", due.url, due.secret
    )
    select claimed.*, "laneCount", "lastLane", "earliestDueAt", "claimedAt"
    from (
      select count(*)::integer as "laneCount", coalesce(max(endpoint_id), '') as "lastLane",
        (select min(due_at) from served where state = 'enabled') as "earliestDueAt", ${storeNow} as "claimedAt",
        set_config('synchronous_commit', 'off', true)
      from lane) as scanned
    left join claimed on true`.execute(db)
  const { laneCount, lastLane, earliestDueAt, claimedAt } = rows[0]!
  const deliveries = rows
    .filter((row) => row.id !== null)
    .map(({ laneCount: _, lastLane: __, earliestDueAt: ___, claimedAt: ____, ...delivery }): ClaimedDelivery => delivery)
  const lastServed = deliveries.reduce((last, { endpointId }) => (endpointId > last ? endpointId : last), '')
  if (deliveries.length >= options.count) return { deliveries, nextAfterLane: lastServed, earliestDueAt, claimedAt }
  return { deliveries, nextAfterLane: laneCount < lanesAtOnce ? '' : lastLane, earliestDueAt, claimedAt }
}
