import { type RawBuilder, sql } from 'kysely'

/** Whether the transaction had committed when the snapshot was taken. Aborted transactions never occur, because they left no row. */
export function visibleIn(snapshot: string, xid: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`pg_visible_in_snapshot(${xid}, ${snapshot}::pg_snapshot)`
}

/** A timestamp as text, exact to the microsecond and independent of the session's time zone. */
export function exactText(timestamp: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${timestamp} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/**
 * The snapshot that a page shows: the given one, or for a first page the statement's own. `is_known` is false if the database was
 * restored to an earlier state, so that it assigns the same transaction ids a second time.
 */
export function snapshotOfPage(given: string | undefined): RawBuilder<unknown> {
  if (given === undefined) return sql`select pg_current_snapshot()::text as snapshot, true as is_known`
  return sql`select ${given}::text as snapshot,
    pg_snapshot_xmax(${given}::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()) as is_known`
}
