import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { walkBatch } from '../sweep-walk.ts'

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

export interface OldDeliveries {
  createdBefore: Date
  heldBefore: Date
  createdBeforeAll: Date
  pendingBefore: Date
  portion: number
}

/** Pending deliveries are kept unless created before `pendingBefore`, and those held after `heldBefore` unless created before `createdBeforeAll`. */
const isOld = ({ createdBefore, heldBefore, createdBeforeAll, pendingBefore }: OldDeliveries) => sql`
  created_at < ${createdBefore} and case state
    when 'pending' then created_at < ${pendingBefore}
    else held_at is null or held_at < ${heldBefore} or created_at < ${createdBeforeAll} end`

/**
 * Removes old deliveries with an id before `idBefore`. Ids begin with the time, so these are at the old end of the primary key: an index by
 * age would slow down every delivery, and a look at the log of each endpoint takes as long as there are endpoints.
 */
export async function removeOldDeliveries(db: Db, options: OldDeliveries & { idBefore: string }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id = any (array(
      select id from webhook_deliveries
      where id < ${options.idBefore} and ${isOld(options)}
      order by id
      limit ${options.portion}
      for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

const endpointsAtOnce = 1000

/** Removes old deliveries whose ids don't tell their age, once a day: looks at the old end of each endpoint's log. */
export function removeOldDeliveriesOfEndpoints(db: Db, options: OldDeliveries & { now: Date }): Promise<{ rows: number; hasMore: boolean }> {
  const { portion, now } = options
  return walkBatch(db, { kind: 'old deliveries', now }, async (tx, afterId) => {
    const { rows } = await sql<{ removed: number; endpoints: number; lastId: string | null }>`
      with walked as materialized (
        select id from webhook_endpoints where id > ${afterId ?? ''} order by id limit ${endpointsAtOnce}),
      removed as (
        delete from webhook_deliveries where id = any (array(
          select delivery.id
          from walked cross join lateral (
            select id from webhook_deliveries
            where endpoint_id = walked.id and ${isOld(options)}
            order by created_at, id
            limit ${portion}
            for update skip locked) as delivery
          limit ${portion}))
        returning id)
      select (select count(*) from removed)::integer as removed, count(*)::integer as endpoints, max(id) as "lastId" from walked`.execute(tx)
    const { removed, endpoints, lastId } = rows[0]!
    if (removed >= portion) return { rows: removed, nextAfterId: afterId ?? '' }
    return { rows: removed, nextAfterId: endpoints < endpointsAtOnce ? null : lastId }
  })
}
