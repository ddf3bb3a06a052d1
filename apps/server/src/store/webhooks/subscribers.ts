import { sql } from 'kysely'
import type { EndpointState } from '../../model/endpoint.ts'
import type { EventType } from '../../model/event-type.ts'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'

export interface Subscriber {
  endpointId: string
  state: EndpointState
}

/** The endpoints subscribed to this event type; none while the organization's webhooks are turned off. */
export async function findSubscribers(
  tx: Tx,
  options: { organizationId: string; type: EventType },
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`${prepared}
    select endpoint.id as "endpointId", endpoint.state
    from webhook_endpoints as endpoint join organizations on organizations.id = endpoint.organization_id
    where endpoint.organization_id = ${options.organizationId}
      and endpoint.deleted_at is null
      and organizations.webhooks_enabled
      and ${options.type} = any (endpoint.event_types)
    order by endpoint.created_at, endpoint.id`.execute(tx)
  return rows
}
