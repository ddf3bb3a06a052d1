import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'

/** How many deliveries are read: at 150 a second, those of the last two seconds. */
export const newestMax = 300

/**
 * The endpoints of the newest deliveries that are due and that no worker has leased. Ids begin with the time, so the newest deliveries are at the end of their
 * index, however many others there are, and however many endpoints.
 */
export async function readNewestLanes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ endpointId: string }>`${prepared}
    select distinct endpoint_id as "endpointId"
    from (
      select endpoint_id, state, next_attempt_at, lease_owner
      from webhook_deliveries
      order by id desc
      limit ${sql.lit(newestMax)}) as newest
    where state = 'pending' and next_attempt_at <= ${storeNow} and lease_owner is null`.execute(db)
  return rows.map(({ endpointId }) => endpointId)
}
