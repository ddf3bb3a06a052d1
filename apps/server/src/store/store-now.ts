import { sql } from 'kysely'

/**
 * The store's time, at which the statement began (migration 0018). What one process decides about another's work (whether a lease has
 * expired, whether something is due) compares with this and never with a process's own clock. As a subquery it is asked once a
 * statement, and an index can be used with it.
 */
export const storeNow = sql<Date>`(select store_now())`

/** The store's time and some milliseconds more; negative ones for a time in the past. */
export const storeNowPlus = (ms: number) => sql<Date>`(select store_now() + ${ms}::double precision * interval '1 millisecond')`
