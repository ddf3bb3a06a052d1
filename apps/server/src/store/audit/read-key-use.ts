import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** How one key was used since a point in time. */
export interface KeyUsage {
  id: string
  name: string
  /** Null if the key was deleted with its member. */
  prefix: string | null
  isRevoked: boolean
  user: { id: string; name: string; email: string }
  requestCount: number
  refusedCount: number
  failedCount: number
  lastAt: Date
  lastAddress: string | null
  /** `YYYY-MM-DD`, UTC. Days without requests are left out. */
  days: { day: string; requestCount: number; refusedCount: number; failedCount: number }[]
  /** Most used first. */
  routes: {
    route: string
    requestCount: number
    refusedCount: number
    failedCount: number
    firstAt: string
    lastAt: string
    lastStatus: number
    lastAddress: string | null
  }[]
}

/** Finds keys by skipping from one to the next in the index, and reads only each key's hours since `from`. */
export async function readKeyUse(
  db: Db,
  read: { organizationId: string; from: Date; afterKeyId?: string; count: number },
): Promise<KeyUsage[]> {
  const { organizationId, from } = read
  const next = (after: unknown) => sql`
    select key_id from key_use
    where organization_id = ${organizationId} and key_id > ${after}
    order by key_id limit 1`
  const { rows } = await sql<KeyUsage>`
    with recursive key as (
      (${next(read.afterKeyId ?? '')})
      union all
      select (${next(sql`key.key_id`)}) from key where key.key_id is not null),
    used as (
      select key.key_id, use.*
      from key cross join lateral (
        select key_name, user_id, last_address, last_at from key_use
        where organization_id = ${organizationId} and key_id = key.key_id and hour >= ${from}
        order by hour desc, last_at desc limit 1) as use
      limit ${read.count})
    select used.key_id as id, used.key_name as name, api_keys.prefix,
      api_keys.id is null or api_keys.revoked_at is not null as "isRevoked",
      jsonb_build_object('id', used.user_id, 'name', users.name, 'email', users.email) as user,
      by_day."requestCount", by_day."refusedCount", by_day."failedCount", used.last_at as "lastAt",
      used.last_address as "lastAddress", by_day.days, by_route.routes
    from used
    join users on users.id = used.user_id
    left join api_keys on api_keys.id = used.key_id
    cross join lateral (
      select jsonb_agg(of_day order by of_day.day) as days, sum("requestCount")::bigint as "requestCount",
        sum("refusedCount")::bigint as "refusedCount", sum("failedCount")::bigint as "failedCount"
      from (
        select to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day, sum(request_count)::bigint as "requestCount",
          sum(refused_count)::bigint as "refusedCount", sum(failed_count)::bigint as "failedCount"
        from key_use
        where organization_id = ${organizationId} and key_id = used.key_id and hour >= ${from}
        group by 1) as of_day) as by_day
    cross join lateral (
      select jsonb_agg(of_route order by of_route."requestCount" desc, of_route.route) as routes
      from (
        select route, sum(request_count)::bigint as "requestCount", sum(refused_count)::bigint as "refusedCount",
          sum(failed_count)::bigint as "failedCount", min(first_at) as "firstAt", max(last_at) as "lastAt",
          (array_agg(last_status order by last_at desc))[1] as "lastStatus",
          (array_agg(last_address order by last_at desc))[1] as "lastAddress"
        from key_use
        where organization_id = ${organizationId} and key_id = used.key_id and hour >= ${from}
        group by route) as of_route) as by_route
    order by used.key_id`.execute(db)
  return rows
}
