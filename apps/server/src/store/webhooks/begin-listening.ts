import { sql } from 'kysely'
import type { Db } from '../db.ts'

export interface Beginning {
  /** What there is now. */
  snapshot: string
  /** False when the database has gone back behind the snapshot that was given, as a restored one has. */
  isKnown: boolean
  /** Whether there are events that the given snapshot does not show and that are older than is told again. */
  hasOlder: boolean
}

/** What stands between a snapshot that somebody has seen and now. */
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
