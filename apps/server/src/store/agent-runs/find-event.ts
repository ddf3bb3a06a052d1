import { sql } from 'kysely'
import type { AgentRunEvent } from '../../model/agent-run.ts'
import type { Db } from '../db.ts'

/**
 * An event with its deliveries, oldest first; undefined if it is past its retention. Original deliveries have the event's own
 * creation time, so they are found in each endpoint's log by that time. Deliveries requested later have their own index.
 */
export async function findEvent(db: Db, key: { organizationId: string; eventId: string }): Promise<AgentRunEvent | undefined> {
  const { rows } = await sql<Omit<AgentRunEvent, 'data'> & { body: string }>`
    select event.id, event.type, event.created_at as "createdAt", event.body,
      coalesce(
        (select jsonb_agg(
           jsonb_build_object('id', delivery.id, 'endpointId', endpoint.id, 'url', endpoint.url, 'state', delivery.state)
           order by delivery.created_at, delivery.id)
         from webhook_endpoints as endpoint
         cross join lateral (
           select id, state, created_at from webhook_deliveries
           where endpoint_id = endpoint.id and created_at = event.created_at and event_id = event.id
             and requested_by is null
           union all
           select id, state, created_at from webhook_deliveries
           where event_id = event.id and endpoint_id = endpoint.id and requested_by is not null) as delivery
         where endpoint.organization_id = event.organization_id and endpoint.deleted_at is null),
        '[]') as deliveries
    from webhook_events as event
    where event.id = ${key.eventId} and event.organization_id = ${key.organizationId}`.execute(db)
  if (!rows[0]) return undefined
  const { body, ...event } = rows[0]
  return { ...event, data: (JSON.parse(body) as Pick<AgentRunEvent, 'data'>).data }
}
