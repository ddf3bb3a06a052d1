import { sql } from 'kysely'
import type { EventType } from '../../model/event-type.ts'
import type { Db } from '../db.ts'
import { locksOfOne } from '../locks.ts'

export interface NewListener {
  id: string
  organizationId: string
  keyId: string
  /** The opt-in events it listens to, which are published while it does. */
  eventTypes: EventType[]
  until: Date
}

/** False if the key has reached its maximum number of listeners. Inserts for one key are serialized, so the limit is exact. */
export async function addListener(
  db: Db,
  listener: NewListener,
  { now, maxOfKey }: { now: Date; maxOfKey: number },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(locksOfOne.listeners)}, hashtext(${listener.keyId}))`.execute(tx)
    // Remove listeners of processes that died.
    await tx
      .deleteFrom('event_listeners')
      .where('organization_id', '=', listener.organizationId)
      .where('listening_until', '<=', now)
      .execute()
    const { count } = await tx
      .selectFrom('event_listeners')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('organization_id', '=', listener.organizationId)
      .where('key_id', '=', listener.keyId)
      .executeTakeFirstOrThrow()
    if (count >= maxOfKey) return false
    const { id, organizationId, keyId, eventTypes, until } = listener
    await tx
      .insertInto('event_listeners')
      .values({ id, organization_id: organizationId, key_id: keyId, event_types: eventTypes, listening_until: until })
      .execute()
    return true
  })
}

/** Also restores listeners that another process removed as dead. */
export async function prolongListeners(db: Db, listeners: Omit<NewListener, 'until'>[], until: Date): Promise<void> {
  if (listeners.length === 0) return
  await db
    .insertInto('event_listeners')
    .values(
      listeners.map(({ id, organizationId, keyId, eventTypes }) => ({
        id,
        organization_id: organizationId,
        key_id: keyId,
        event_types: eventTypes,
        listening_until: until,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ listening_until: until }))
    .execute()
}

export async function removeListener(db: Db, id: string): Promise<void> {
  await db.deleteFrom('event_listeners').where('id', '=', id).execute()
}

export async function countListeners(db: Db, organizationId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('event_listeners')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('listening_until', '>', now)
    .executeTakeFirstOrThrow()
  return count
}
