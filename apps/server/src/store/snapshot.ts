import { type RawBuilder, sql } from 'kysely'

/** Had the transaction committed when the snapshot was taken? A row's own aborted transactions never show up: they left no row. */
export function visibleIn(snapshot: string, xid: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`pg_visible_in_snapshot(${xid}, ${snapshot}::pg_snapshot)`
}

/** A timestamp as text, exact to the microsecond, whatever the session's time zone. */
export function exactText(timestamp: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${timestamp} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/** False when the database has gone back behind the snapshot: it hands out the same transaction ids a second time. */
export function isKnownSnapshot(snapshot: string): RawBuilder<boolean> {
  return sql<boolean>`pg_snapshot_xmax(${snapshot}::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())`
}
