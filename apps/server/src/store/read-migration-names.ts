import { sql } from 'kysely'
import type { Store } from './db.ts'

export async function readMigrationNames(db: Store['db']): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}
