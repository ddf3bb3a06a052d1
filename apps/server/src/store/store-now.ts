import { sql } from 'kysely'

/**
 * The store's time when the statement began (migration 0018). Decisions about another process's work (whether a lease has expired,
 * whether something is due) compare with this and never with a process's own clock. As a subquery it is evaluated once per statement
 * and can be used with an index.
 */
export const storeNow = sql<Date>`(select store_now())`

/** The store's time plus some milliseconds; negative for a time in the past. */
export const storeNowPlus = (ms: number) => sql<Date>`(select store_now() + ${ms}::double precision * interval '1 millisecond')`
