import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'

/** Uses of one key at one route in one hour. */
export interface KeyUseTally {
  organizationId: string
  keyId: string
  keyName: string
  userId: string
  route: string
  hour: Date
  requestCount: number
  refusedCount: number
  failedCount: number
  firstAt: Date
  lastAt: Date
  lastStatus: number
  lastAddress: string | null
}

/**
 * Adds the tallies to the stored ones. Always in key order, because processes that lock each other's rows in different orders could
 * deadlock.
 */
export async function addKeyUse(db: Db, tallies: KeyUseTally[]): Promise<void> {
  if (tallies.length === 0) return
  await sql`${prepared}
    insert into key_use (organization_id, key_id, hour, route, key_name, user_id, request_count, refused_count, failed_count,
      first_at, last_at, last_status, last_address)
    select "organizationId", "keyId", hour, route, "keyName", "userId", "requestCount", "refusedCount", "failedCount",
      "firstAt", "lastAt", "lastStatus", "lastAddress"
    from jsonb_to_recordset(${JSON.stringify(tallies)}::jsonb) as tally (
      "organizationId" text, "keyId" text, hour timestamptz, route text, "keyName" text, "userId" text, "requestCount" bigint,
      "refusedCount" bigint, "failedCount" bigint, "firstAt" timestamptz, "lastAt" timestamptz, "lastStatus" smallint,
      "lastAddress" text)
    order by "organizationId", "keyId", hour, route
    on conflict (organization_id, key_id, hour, route) do update set
      key_name = excluded.key_name,
      request_count = key_use.request_count + excluded.request_count,
      refused_count = key_use.refused_count + excluded.refused_count,
      failed_count = key_use.failed_count + excluded.failed_count,
      first_at = least(key_use.first_at, excluded.first_at),
      last_at = greatest(key_use.last_at, excluded.last_at),
      last_status = case when excluded.last_at >= key_use.last_at then excluded.last_status else key_use.last_status end,
      last_address = case when excluded.last_at >= key_use.last_at then excluded.last_address else key_use.last_address end
  `.execute(db)
}
