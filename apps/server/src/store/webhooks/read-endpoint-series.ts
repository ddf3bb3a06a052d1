import { sql } from 'kysely'
import type { SeriesPart } from '../../model/endpoint-series.ts'
import type { Db } from '../db.ts'

export interface SeriesRead {
  endpointIds: string[]
  from: Date
  partMs: number
  partCount: number
  /** How many of an endpoint's latest deliveries are read at most. */
  lookMax: number
}

export interface SeriesRows {
  /** Non-empty parts by their number. */
  parts: Map<number, Omit<SeriesPart, 'at'>>
  /** The time of the earliest delivery read, if there were more than the maximum; else null. */
  lookedBackTo: Date | null
}

interface Row {
  endpointId: string
  partAt: Date
  delivered: number
  retrying: number
  exhausted: number
  held: number
  lookedCount: number
  lookedBackTo: Date
}

/**
 * The current states of each endpoint's deliveries since `from`, by creation time. Reads only an endpoint's latest `lookMax`, so the
 * cost does not grow with the log.
 */
export async function readEndpointSeries(db: Db, read: SeriesRead): Promise<Map<string, SeriesRows>> {
  const { rows } = await sql<Row>`
    select wanted.endpoint_id as "endpointId", part.*
    from unnest(${read.endpointIds}::text[]) as wanted (endpoint_id)
    cross join lateral (
      select date_bin(${read.partMs}::integer * interval '1 millisecond', created_at, ${read.from}::timestamptz) as "partAt",
        count(*) filter (where state = 'delivered' and not is_test)::integer as delivered,
        count(*) filter (where state = 'pending' and attempt_count > 0 and not is_test)::integer as retrying,
        count(*) filter (where state = 'exhausted' and not is_test)::integer as exhausted,
        count(*) filter (where state = 'held' and not is_test)::integer as held,
        sum(count(*)) over ()::integer as "lookedCount",
        min(min(created_at)) over () as "lookedBackTo"
      from (
        select state, is_test, attempt_count, created_at
        from webhook_deliveries
        where endpoint_id = wanted.endpoint_id and created_at >= ${read.from}
        order by created_at desc, id desc
        limit ${read.lookMax}) as latest
      group by "partAt") as part`.execute(db)
  const found = new Map<string, SeriesRows>(read.endpointIds.map((id) => [id, { parts: new Map(), lookedBackTo: null }]))
  for (const { endpointId, partAt, lookedCount, lookedBackTo, ...counts } of rows) {
    const series = found.get(endpointId)!
    if (lookedCount >= read.lookMax) series.lookedBackTo = lookedBackTo
    const part = (partAt.getTime() - read.from.getTime()) / read.partMs
    if (part < read.partCount) series.parts.set(part, counts)
  }
  return found
}
