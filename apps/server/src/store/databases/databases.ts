import type { AnalyticalDatabase, LastTest, NewDatabase } from '../../domain/databases/database.ts'
import type { Db, Tx } from '../db.ts'

export interface DatabaseKey {
  organizationId: string
  configId: string
}

export async function databaseExists(db: Db | Tx, key: DatabaseKey): Promise<boolean> {
  return (await findDatabase(db, key)) !== undefined
}

export async function findDatabase(db: Db | Tx, key: DatabaseKey): Promise<AnalyticalDatabase | undefined> {
  const row = await select(db)
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.configId)
    .executeTakeFirst()
  return row && present(row)
}

export async function listDatabases(db: Db, organizationId: string): Promise<AnalyticalDatabase[]> {
  const rows = await select(db)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(present)
}

/** False when the organization has a database of that name. */
export async function insertDatabase(db: Db | Tx, database: NewDatabase): Promise<boolean> {
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

/** What was found out about it; what is left out stays as it was. */
export async function noteDatabase(
  db: Db | Tx,
  key: DatabaseKey,
  known: { tableCount?: number; lastTest?: LastTest },
): Promise<void> {
  await update(db, key)
    .set({
      ...(known.tableCount !== undefined && { table_count: known.tableCount }),
      ...(known.lastTest && { last_test: JSON.stringify(known.lastTest) }),
    })
    .execute()
}

/** `taken` when another database of the organization has that name. */
export async function renameDatabase(db: Db, key: DatabaseKey, name: string): Promise<'renamed' | 'taken' | 'missing'> {
  try {
    const { numUpdatedRows } = await update(db, key).set({ name }).executeTakeFirst()
    return numUpdatedRows === 1n ? 'renamed' : 'missing'
  } catch (error) {
    if ((error as { code?: string }).code === uniqueViolation) return 'taken'
    throw error
  }
}

const uniqueViolation = '23505'

export async function markDatabaseDeleted(tx: Tx, key: DatabaseKey, deletedAt: Date): Promise<void> {
  await update(tx, key).set({ deleted_at: deletedAt }).execute()
}

/**
 * The databases of an organization that stand on a file, locked until the transaction ends: who changes the file or
 * what stands on it does so under this lock.
 */
export async function lockDatabasesOnFile(
  tx: Tx,
  on: { organizationId: string; file: string },
): Promise<AnalyticalDatabase[]> {
  const rows = await select(tx)
    .where('organization_id', '=', on.organizationId)
    .where((where) => where(where.ref('settings', '->>').key('file'), '=', on.file))
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(present)
}

const select = (db: Db | Tx) => db.selectFrom('analytical_database_configs').selectAll().where('deleted_at', 'is', null)

const update = (db: Db | Tx, key: DatabaseKey) =>
  db
    .updateTable('analytical_database_configs')
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.configId)
    .where('deleted_at', 'is', null)

function present(row: Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]): AnalyticalDatabase {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    engine: row.engine,
    settings: row.settings,
    createdBy: row.created_by,
    createdAt: row.created_at,
    tableCount: row.table_count,
    lastTest: row.last_test,
  }
}
