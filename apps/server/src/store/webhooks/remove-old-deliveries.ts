import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * These functions remove expired rows, one portion per call, so that no statement holds locks for long. Each returns the number of
 * rows removed. Concurrent sweeps skip each other's portions.
 */
export async function removeDeliveriesOfDeletedEndpoints(db: Db, options: { portion: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id = any (array(
      select delivery.id
      from webhook_endpoints as endpoint cross join lateral (
        select id from webhook_deliveries
        where endpoint_id = endpoint.id
        limit ${options.portion}
        for update skip locked) as delivery
      where endpoint.deleted_at is not null
      limit ${options.portion}))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Removes deleted endpoints that are no longer referenced. */
export async function removeDeletedEndpoints(db: Db, options: { deletedBefore: Date; portion: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_endpoints where id = any (array(
      select id from webhook_endpoints as endpoint
      where deleted_at < ${options.deletedBefore}
        and not exists (select from webhook_deliveries where endpoint_id = endpoint.id)
      limit ${options.portion}
      for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Removes old deliveries, found endpoint by endpoint at the old end of each log, because an index by age would slow down every delivery.
 * Pending deliveries are kept, and those held after `heldBefore` are kept unless created before `createdBeforeAll`.
 */
export async function removeOldDeliveries(
  db: Db,
  options: { createdBefore: Date; heldBefore: Date; createdBeforeAll: Date; portion: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id = any (array(
      select delivery.id
      from webhook_endpoints as endpoint cross join lateral (
        select id from webhook_deliveries
        where endpoint_id = endpoint.id and created_at < ${options.createdBefore} and state <> 'pending'
          and (held_at is null or held_at < ${options.heldBefore} or created_at < ${options.createdBeforeAll})
        order by created_at, id
        limit ${options.portion}
        for update skip locked) as delivery
      limit ${options.portion}))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
