import { sql } from 'kysely'
import type {
  AnalyticalDatabase,
  FileDatabase,
  LastTest,
  NewDatabase,
  ServerDatabase,
} from '../../model/database.ts'
import type { RowRule } from '../../model/row-rule.ts'
import type { Db, Tx } from '../db.ts'

export interface DatabaseKey {
  organizationId: string
  configId: string
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

/** False if the organization already has a database with that name. */
export async function insertDatabase(db: Db | Tx, database: NewDatabase): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('analytical_database_configs')
    .values({
      id: database.id,
      organization_id: database.organizationId,
      name: database.name,
      engine: database.engine,
      settings: JSON.stringify(database.settings),
      sealed_password: 'sealedPassword' in database ? database.sealedPassword : null,
      created_by: database.createdBy,
      created_at: database.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Records facts about a database. Facts left out are kept. */
export async function recordDatabaseFacts(
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

/**
 * Records that the database answered at that time, keeping what an earlier passed test found. Nothing changes if the settings were
 * changed since, or if a test is later.
 */
export async function noteDatabaseAnswer(db: Db, key: DatabaseKey, { revision, at }: { revision: number; at: Date }): Promise<void> {
  const testedAt = at.toISOString()
  const passed = sql`case when last_test ->> 'ok' = 'true' then last_test else '{"ok": true}'::jsonb end`
  await update(db, key)
    .where('revision', '=', revision)
    .where(sql<boolean>`coalesce(last_test ->> 'testedAt' < ${testedAt}, true)`)
    .set({ last_test: sql<string>`${passed} || ${JSON.stringify({ testedAt })}::jsonb` })
    .execute()
}

/** `taken` if another database of the organization has that name. */
export async function renameDatabase(db: Db | Tx, key: DatabaseKey, name: string): Promise<'renamed' | 'taken' | 'missing'> {
  try {
    const { numUpdatedRows } = await update(db, key).set({ name }).executeTakeFirst()
    return numUpdatedRows === 1n ? 'renamed' : 'missing'
  } catch (error) {
    if ((error as { code?: string }).code === uniqueViolation) return 'taken'
    throw error
  }
}

const uniqueViolation = '23505'

/**
 * Changes how the database is reached and increments its revision, which retires engines of the previous one. False if its revision
 * differs: it was changed or deleted concurrently.
 */
export async function reconfigureDatabase(
  db: Db | Tx,
  key: DatabaseKey,
  to: Pick<ServerDatabase, 'settings' | 'sealedPassword' | 'revision'>,
): Promise<boolean> {
  const { numUpdatedRows } = await update(db, key)
    .where('revision', '=', to.revision)
    .set({
      settings: JSON.stringify(to.settings),
      sealed_password: to.sealedPassword,
      revision: to.revision + 1,
    })
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Null: everyone sees the same rows. */
export async function setRowRules(tx: Tx, key: DatabaseKey, rules: RowRule[] | null): Promise<void> {
  await update(tx, key).set({ row_rules: rules && JSON.stringify(rules) }).execute()
}

/** Also deletes its password. */
export async function markDatabaseDeleted(tx: Tx, key: DatabaseKey, deletedAt: Date): Promise<void> {
  await update(tx, key).set({ deleted_at: deletedAt, sealed_password: null }).execute()
}

/** Locks it against changes until the transaction ends. */
export async function lockDatabase(tx: Tx, key: DatabaseKey): Promise<AnalyticalDatabase | undefined> {
  const row = await select(tx)
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.configId)
    .forUpdate()
    .executeTakeFirst()
  return row && present(row)
}

/**
 * The organization's databases backed by a file, locked until the transaction ends. Changes to the file or these databases require
 * this lock.
 */
export async function lockDatabasesOnFile(
  tx: Tx,
  on: { organizationId: string; file: string },
): Promise<FileDatabase[]> {
  const rows = await select(tx)
    .where('organization_id', '=', on.organizationId)
    .where((where) => where(where.ref('settings', '->>').key('file'), '=', on.file))
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => present(row) as FileDatabase)
}

const select = (db: Db | Tx) => db.selectFrom('analytical_database_configs').selectAll().where('deleted_at', 'is', null)

const update = (db: Db | Tx, key: DatabaseKey) =>
  db
    .updateTable('analytical_database_configs')
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.configId)
    .where('deleted_at', 'is', null)

function present(row: Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]): AnalyticalDatabase {
  const common = {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    revision: row.revision,
    createdBy: row.created_by,
    createdAt: row.created_at,
    tableCount: row.table_count,
    lastTest: row.last_test,
    ...(row.row_rules && { rowRules: row.row_rules }),
  }
  return { ...common, ...engineConfigOf(row) }
}

/** Narrows the row to its engine, whose settings it holds. */
export function engineConfigOf(row: {
  engine: AnalyticalDatabase['engine']
  settings: AnalyticalDatabase['settings']
  sealed_password: Uint8Array | null
}) {
  const { engine, settings } = row
  return 'file' in settings ? { engine, settings } : { engine, settings, sealedPassword: row.sealed_password }
}
