import { sql } from 'kysely'
import type { Db } from './db.ts'
import { withoutDeadline } from './prepared.ts'

/** How many rows a table has, and a hash of all of them that does not depend on their order. */
export interface TableFacts {
  rowCount: number
  hash: string
}

/** Reads every row of every table, by table name. For copies of a store: on a large one it takes minutes. */
export async function readTableFacts(db: Db, signal: AbortSignal): Promise<Record<string, TableFacts>> {
  const facts: Record<string, TableFacts> = {}
  for (const name of await readTableNames(db)) {
    signal.throwIfAborted()
    const { rows } = await sql<TableFacts>`${withoutDeadline}
      select count(*)::float8 as "rowCount", coalesce(sum(hashtextextended(each::text, 0)::numeric), 0)::text as hash
      from ${sql.table(name)} as each`.execute(db)
    facts[name] = rows[0]!
  }
  return facts
}

/** For stores on different servers, which would print times in different time zones. */
export const readTableFactsInUtc = (db: Db, signal: AbortSignal): Promise<Record<string, TableFacts>> =>
  db.transaction().execute(async (tx) => {
    await sql`set local timezone to 'UTC'`.execute(tx)
    return readTableFacts(tx, signal)
  })

/** A partitioned table counts as one. */
export async function readTableNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace
    order by relname`.execute(db)
  return rows.map(({ name }) => name)
}
