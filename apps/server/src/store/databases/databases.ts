import type { AnalyticalDatabase } from '../../domain/databases/database.ts'
import type { Db, Tx } from '../db.ts'

export async function databaseExists(db: Db | Tx, key: { organizationId: string; configId: string }): Promise<boolean> {
  return (await findDatabase(db, key)) !== undefined
}

export async function findDatabase(
  db: Db | Tx,
  key: { organizationId: string; configId: string },
): Promise<AnalyticalDatabase | undefined> {
  const row = await select(db)
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.configId)
    .executeTakeFirst()
  return row && present(row)
}

export async function listDatabases(db: Db, organizationId: string): Promise<AnalyticalDatabase[]> {
  const rows = await select(db).where('organization_id', '=', organizationId).orderBy('created_at').orderBy('id').execute()
  return rows.map(present)
}

/** False when the organization has a database of that name. */
export async function insertDatabase(db: Db | Tx, database: AnalyticalDatabase): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('analytical_database_configs')
    .values({
      id: database.id,
      organization_id: database.organizationId,
      name: database.name,
      engine: database.engine,
      settings: JSON.stringify(database.settings),
      created_by: database.createdBy,
      created_at: database.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

const select = (db: Db | Tx) => db.selectFrom('analytical_database_configs').selectAll()

function present(row: Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]): AnalyticalDatabase {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    engine: row.engine,
    settings: row.settings,
    createdBy: row.created_by,
    createdAt: row.created_at,
  }
}
