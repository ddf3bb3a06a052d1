import { sql } from 'kysely'
import type { DatabaseLevel, FolderLevel, Grant } from '../../model/access.ts'
import type { Db, Tx } from '../db.ts'

export async function readDatabaseGrants(db: Db | Tx, organizationId: string): Promise<Grant<DatabaseLevel>[]> {
  return db
    .selectFrom('database_grants')
    .select(['database_id as subjectId', 'group_id as groupId', 'level'])
    .where('organization_id', '=', organizationId)
    .orderBy(sql`group_id nulls first`)
    .execute()
}

export async function readFolderGrants(db: Db | Tx, organizationId: string): Promise<Grant<FolderLevel>[]> {
  return db
    .selectFrom('folder_grants')
    .select(['folder_id as subjectId', 'group_id as groupId', 'level'])
    .where('organization_id', '=', organizationId)
    .orderBy(sql`group_id nulls first`)
    .execute()
}

interface Levels<Level> {
  organizationId: string
  subjectId: string
  levels: { groupId: string | null; level: Level }[]
}

/** Replaces all grants on a database. */
export async function replaceDatabaseGrants(tx: Tx, { organizationId, subjectId, levels }: Levels<DatabaseLevel>): Promise<void> {
  await tx.deleteFrom('database_grants').where('database_id', '=', subjectId).execute()
  if (levels.length === 0) return
  const of = { organization_id: organizationId, database_id: subjectId }
  await tx.insertInto('database_grants').values(levels.map(({ groupId, level }) => ({ ...of, group_id: groupId, level }))).execute()
}

/** Replaces all grants on a folder. */
export async function replaceFolderGrants(tx: Tx, { organizationId, subjectId, levels }: Levels<FolderLevel>): Promise<void> {
  await tx.deleteFrom('folder_grants').where('folder_id', '=', subjectId).execute()
  if (levels.length === 0) return
  const of = { organization_id: organizationId, folder_id: subjectId }
  await tx.insertInto('folder_grants').values(levels.map(({ groupId, level }) => ({ ...of, group_id: groupId, level }))).execute()
}
