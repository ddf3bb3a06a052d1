import { sql } from 'kysely'
import type { Claim, ClaimedDelivery, ClaimOptions } from '../../domain/webhooks/delivery/delivery-store.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'

/** Lanes that one statement looks at. More endpoints than this with something pending take their turns. */
const lanesAtOnce = 500

interface Row extends ClaimedDelivery {
  laneCount: number
  lastLane: string
}

/**
 * Takes due deliveries, lane by lane.
 *
 * The lanes are found by hopping through their index: one probe an endpoint that has anything pending, however much that is. From each
 * lane come as many as the endpoint has room for, so neither a backlog nor a receiver that hangs costs the others more than
 * that one probe. `skip locked` lets many workers claim at the same time.
 *
 * The rows are found again by where they lie (`ctid`): locked, they stay there until the statement is over.
 *
 * A claim that is lost in a crash of the server is only made again, so nobody waits for it to reach the disk. Attempts are still
 * recorded once: what is recorded names the attempt's number beside the lease's. The setting ends with the statement.
 */
export async function claimDeliveries(db: Db, options: ClaimOptions): Promise<Claim> {
  const rooms = JSON.stringify(Object.fromEntries(options.rooms))
  const { rows } = await sql<Row>`${prepared}
    with recursive lane (endpoint_id, due_at, number) as (
      (select endpoint_id, next_attempt_at, 1
       from webhook_deliveries
       where state = 'pending' and endpoint_id > ${options.afterLane}
       order by endpoint_id, next_attempt_at
       limit 1)
      union all
      select next.endpoint_id, next.next_attempt_at, lane.number + 1
      from lane cross join lateral (
        select endpoint_id, next_attempt_at
        from webhook_deliveries
        where state = 'pending' and endpoint_id > lane.endpoint_id
        order by endpoint_id, next_attempt_at
        limit 1) as next
      where lane.number < ${lanesAtOnce}
    ),
    due as (
      select delivery.ctid, endpoint.organization_id, endpoint.url, endpoint.secret
      from lane
      -- The limit keeps the planner from reordering: lanes are to be served in their order.
      cross join lateral (
        select endpoint.organization_id, endpoint.url, endpoint.secret, endpoint.state
        from webhook_endpoints as endpoint join organizations on organizations.id = endpoint.organization_id
        where endpoint.id = lane.endpoint_id and endpoint.deleted_at is null and organizations.webhooks_enabled
        limit 1) as endpoint
      cross join lateral (
        select ctid
        from webhook_deliveries
        where endpoint_id = lane.endpoint_id and state = 'pending' and next_attempt_at <= ${storeNow}
          and (lease_expires_at is null or lease_expires_at <= ${storeNow})
          and (endpoint.state = 'enabled' or is_test)
        order by next_attempt_at
        limit coalesce((${rooms}::jsonb ->> lane.endpoint_id)::integer, ${options.roomOfOthers}::integer)
        for update skip locked) as delivery
      where lane.due_at <= ${storeNow}
      limit ${options.count}
    ),
    claimed as (
      update webhook_deliveries as delivery
      set lease_number = delivery.lease_number + 1, lease_owner = ${options.workerId},
        lease_expires_at = ${storeNowPlus(options.leaseMs)}
      from due, webhook_events as event
      where delivery.ctid = due.ctid and event.id = delivery.event_id
      returning delivery.id, delivery.lease_number as "leaseNumber", delivery.attempt_count + 1 as "attemptNumber",
        event.id as "eventId", event.body,
        delivery.endpoint_id as "endpointId", due.organization_id as "organizationId", due.url, due.secret
    )
    select claimed.*, "laneCount", "lastLane"
    from (
      select count(*)::integer as "laneCount", coalesce(max(endpoint_id), '') as "lastLane",
        set_config('synchronous_commit', 'off', true)
      from lane) as scanned
    left join claimed on true`.execute(db)
  const { laneCount, lastLane } = rows[0]!
  const deliveries = rows
    .filter((row) => row.id !== null)
    .map(({ laneCount: _, lastLane: __, ...delivery }): ClaimedDelivery => delivery)
  const lastServed = deliveries.reduce((last, { endpointId }) => (endpointId > last ? endpointId : last), '')
  if (deliveries.length >= options.count) return { deliveries, nextAfterLane: lastServed }
  return { deliveries, nextAfterLane: laneCount < lanesAtOnce ? '' : lastLane }
}
