import { type RawBuilder, sql } from 'kysely'
import type { EndpointState } from '../../model/endpoint.ts'
import type { EventType } from '../../model/event-type.ts'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'

export interface Subscriber {
  endpointId: string
  state: EndpointState
  isOrdered: boolean
  /** Its held deliveries are being released, so an ordered endpoint's new ones are held too and follow them. */
  isReleasing: boolean
}

/** The endpoints subscribed to this event type; none while the organization's webhooks are turned off. */
export async function findSubscribers(
  tx: Tx,
  options: { organizationId: string; type: EventType },
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`${prepared}
    select endpoint.id as "endpointId", endpoint.state, endpoint.is_ordered as "isOrdered", endpoint.is_releasing as "isReleasing"
    from ${subscribedEndpoints(options)}
    order by endpoint.created_at, endpoint.id`.execute(tx)
  return rows
}

export const subscribedEndpoints = ({ organizationId, type }: { organizationId: string; type: EventType }) => sql`
  webhook_endpoints as endpoint join organizations on organizations.id = endpoint.organization_id
  where endpoint.organization_id = ${organizationId}
    and endpoint.deleted_at is null
    and organizations.webhooks_enabled
    and ${type} = any (endpoint.event_types)`

/**
 * Whether an endpoint or a listener of the organization has chosen this event type: a condition for statements that publish opt-in
 * events only if someone wants them. It costs one index lookup in an organization without endpoints.
 */
export const isEventWanted = (organizationId: RawBuilder<unknown>, type: EventType): RawBuilder<boolean> => sql<boolean>`(
  exists (
    select from webhook_endpoints as endpoint join organizations on organizations.id = endpoint.organization_id
    where endpoint.organization_id = ${organizationId} and endpoint.deleted_at is null
      and ${sql.lit(type)} = any (endpoint.event_types) and organizations.webhooks_enabled)
  or exists (
    select from event_listeners as listener
    where listener.organization_id = ${organizationId} and ${sql.lit(type)} = any (listener.event_types)
      and listener.listening_until > ${storeNow}))`

export async function hasListenerFor(tx: Tx, options: { organizationId: string; type: EventType }): Promise<boolean> {
  const { rows } = await sql`${prepared}
    select from event_listeners
    where organization_id = ${options.organizationId} and ${options.type} = any (event_types) and listening_until > ${storeNow}
    limit 1`.execute(tx)
  return rows.length > 0
}
