import { sql } from 'kysely'
import type { Db } from '../db.ts'

export interface Beginning {
  /** The current snapshot. */
  snapshot: string
  /** False if the database is older than the given snapshot, as after a restore. */
  isKnown: boolean
  /** Whether the given snapshot misses events that are too old to be sent again. */
  hasOlder: boolean
}

/** Compares a snapshot that a listener has seen with the current state. */
export async function readBeginning(
  db: Db,
  read: { organizationId: string; seen: string; notBefore: Date },
): Promise<Beginning> {
  const { rows } = await sql<Beginning>`
    select pg_current_snapshot()::text as snapshot,
      pg_snapshot_xmax(${read.seen}::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()) as "isKnown",
      coalesce((
        select true from webhook_events
        where organization_id = ${read.organizationId}
          and published_xid >= pg_snapshot_xmin(${read.seen}::pg_snapshot)
          and created_at < ${read.notBefore}
          and not pg_visible_in_snapshot(published_xid, ${read.seen}::pg_snapshot)
        order by published_xid
        limit 1), false) as "hasOlder"`.execute(db)
  return rows[0]!
}

export async function readSnapshot(db: Db): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(db)
  return rows[0]!.snapshot
}
