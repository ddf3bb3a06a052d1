import { sql } from 'kysely'
import type { EndpointHealth } from '../../model/endpoint.ts'
import type { Db } from '../db.ts'

interface Row extends EndpointHealth {
  endpointId: string
  heldCount: number
}

/**
 * How each endpoint's latest deliveries went, and how many are held for it. The cost does not grow with the log: the first reads
 * `recentCount` rows, the second at most `heldMax` entries of an index of held deliveries.
 */
export async function readEndpointHealth(
  db: Db,
  options: { endpointIds: string[]; recentCount: number; heldMax: number },
): Promise<Map<string, { health: EndpointHealth; heldCount: number }>> {
  const { rows } = await sql<Row>`
    select wanted.endpoint_id as "endpointId", recent.*, held.*
    from unnest(${options.endpointIds}::text[]) as wanted (endpoint_id)
    cross join lateral (
      select count(*) filter (where state = 'delivered')::integer as delivered,
        count(*) filter (where state = 'exhausted')::integer as exhausted,
        count(*) filter (where state = 'pending')::integer as pending,
        count(*) filter (where state = 'pending' and attempt_count > 0)::integer as retrying,
        count(*) filter (where state = 'held')::integer as held,
        percentile_disc(0.95) within group (order by duration_ms) as "durationP95Ms",
        (array_agg(jsonb_build_object('deliveryId', id, 'at', failed ->> 'at', 'message', failed -> 'failure' ->> 'message')
           order by failed ->> 'at' desc) filter (where failed is not null))[1] as "lastFailure"
      from (
        select id, state, is_test, attempt_count, (attempts -> -1 ->> 'durationMs')::double precision as duration_ms,
          -- Only a delivery's last attempt can have succeeded.
          case when attempts -> -1 -> 'failure' <> 'null' then attempts -> -1 else attempts -> -2 end as failed
        from webhook_deliveries
        where endpoint_id = wanted.endpoint_id
        order by created_at desc, id desc
        limit ${options.recentCount}) as latest
      where not is_test) as recent
    cross join lateral (
      select count(*)::integer as "heldCount"
      from (
        select from webhook_deliveries
        where endpoint_id = wanted.endpoint_id and state = 'held'
        limit ${options.heldMax}) as counted) as held`.execute(db)
  return new Map(rows.map(({ endpointId, heldCount, ...health }) => [endpointId, { health, heldCount }]))
}
