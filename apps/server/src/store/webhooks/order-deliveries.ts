import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { locksOfOne } from '../locks.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

/**
 * The order of deliveries to an ordered endpoint.
 *
 * - Publishers of one key take turns, so that the numbers of its deliveries follow the order of their commits.
 * - The *head* of a key is its first pending delivery. Claims take heads only.
 * - A claim that meets deliveries behind their head has them *parked*: they are due at 'infinity', where no claim looks. So each is
 *   checked once, however long its head takes.
 * - The transaction that records a head's end makes the next one due.
 *
 * Parking locks the head (`for share`), so a head cannot end between the look and the parking. It skips heads that someone else has
 * locked, because they may be ending. So a delivery is only parked behind one that is still pending, and nobody waits for a publisher.
 */
const parkMax = 1000

/** Serializes publishers of one key until the transaction ends. */
export async function lockOrderKey(tx: Tx, key: { organizationId: string; orderKey: string }): Promise<void> {
  const name = `${key.organizationId} ${key.orderKey}`
  await sql`select pg_advisory_xact_lock(${sql.lit(locksOfOne.deliveryOrder)}, hashtext(${name}))`.execute(tx)
}

/** Parks due deliveries of an endpoint that are behind their heads. Returns how many. */
export async function parkBlocked(db: Db, endpointId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with due as materialized (
      select ctid, order_key, order_number
      from webhook_deliveries
      where endpoint_id = ${endpointId} and state = 'pending' and order_key is not null and next_attempt_at <= ${storeNow}
        and (lease_expires_at is null or lease_expires_at <= ${storeNow})
      order by next_attempt_at
      limit ${parkMax}
      for update skip locked),
    head as materialized (
      select key.order_key, first.order_number
      from (select distinct order_key from due) as key
      cross join lateral (
        select order_number
        from webhook_deliveries
        where endpoint_id = ${endpointId} and order_key = key.order_key and state = 'pending'
        order by order_number
        limit 1
        for share skip locked) as first),
    parked as (
      update webhook_deliveries as delivery
      set next_attempt_at = 'infinity'
      from due join head on head.order_key = due.order_key
      where delivery.ctid = due.ctid and due.order_number > head.order_number
      returning delivery.id)
    select count(*)::integer as count from parked`.execute(db)
  return rows[0]!.count
}

/** Makes the heads of these keys due if they are parked. In the transaction that has recorded the end of the ones before them. */
export async function releaseHeads(tx: Tx, keys: { endpointId: string; orderKey: string }[]): Promise<void> {
  await sql`${wakes('deliveries')}
    update webhook_deliveries as delivery
    set next_attempt_at = ${storeNow}
    from (
      select head.id
      from (
        select distinct * from unnest(
          ${keys.map(({ endpointId }) => endpointId)}::text[],
          ${keys.map(({ orderKey }) => orderKey)}::text[]
        ) as key (endpoint_id, order_key)) as key
      cross join lateral (
        select id, next_attempt_at
        from webhook_deliveries
        where endpoint_id = key.endpoint_id and order_key = key.order_key and state = 'pending'
        order by order_number
        limit 1) as head
      where head.next_attempt_at = 'infinity') as parked
    where delivery.id = parked.id and delivery.next_attempt_at = 'infinity'`.execute(tx)
}

/** Takes held deliveries out of the order: later events do not wait for them, and they can still be sent. */
export async function setHeldAside(db: Db, endpointId: string): Promise<void> {
  for (let count = parkMax; count === parkMax; ) {
    const { numAffectedRows } = await sql`
      update webhook_deliveries set order_key = null, order_number = null
      where id = any (array(
        select id from webhook_deliveries
        where endpoint_id = ${endpointId} and state = 'held' and order_key is not null
        limit ${parkMax}
        for update skip locked))`.execute(db)
    count = Number(numAffectedRows ?? 0n)
  }
}
