import type { DatabaseLevel, FolderLevel } from '../../model/access.ts'
import type { RowRule, RowRuleKind } from '../../model/row-rule.ts'
import type { Caller } from '../../model/caller.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { readDatabaseGrants, readFolderGrants, replaceDatabaseGrants, replaceFolderGrants } from '../../store/access/grants-table.ts'
import { hasVisibleSchema } from '../../store/access/make-visible-schema.ts'
import { lockGroups } from '../../store/access/groups-table.ts'
import { listDatabases } from '../../store/databases/databases-table.ts'
import type { Db, Tx } from '../../store/db.ts'
import { listFolders } from '../../store/folders/folders-table.ts'
import { recordChange } from '../audit/record-action.ts'
import { changesOf } from '../audit/changes.ts'
import { getDatabaseConfig } from '../databases/get-database-config.ts'
import { readsSavedQueries } from '../databases/reads-saved-queries.ts'
import { badInput } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { rowRuleKindsOf } from './check-rules.ts'

export interface AccessDeps {
  db: Db
  clock: Clock
  random: Random
}

/** `groupId` is null for everyone. */
export interface GroupLevel<Level> {
  groupId: string | null
  level: Level
}

export interface AccessMatrix {
  databases: {
    id: string
    name: string
    levels: GroupLevel<DatabaseLevel>[]
    rowRules: RowRule[]
    /** The kinds of rules that it can have. */
    rowRuleKinds: RowRuleKind[]
  }[]
  folders: { id: string; name: string; parentId: string | null; levels: GroupLevel<FolderLevel>[] }[]
}

/** Everything that access can be given to, with the levels that are not the default. */
export async function getAccessMatrix(deps: Pick<AccessDeps, 'db'>, caller: Caller): Promise<AccessMatrix> {
  requireAdmin(caller)
  const { organizationId } = caller
  const ofDatabases = Map.groupBy(await readDatabaseGrants(deps.db, organizationId), ({ subjectId }) => subjectId)
  const ofFolders = Map.groupBy(await readFolderGrants(deps.db, organizationId), ({ subjectId }) => subjectId)
  const databases = (await listDatabases(deps.db, organizationId)).filter((database) => !readsSavedQueries(database))
  return {
    databases: databases.map(({ id, name, engine, rowRules = [] }) => ({
      id,
      name,
      levels: levelsOf(ofDatabases.get(id)),
      rowRules,
      rowRuleKinds: rowRuleKindsOf(engine),
    })),
    folders: (await listFolders(deps.db, organizationId)).map(({ id, name, parentId }) => ({
      id,
      name,
      parentId,
      levels: levelsOf(ofFolders.get(id)),
    })),
  }
}

/** Replaces the levels of all groups on a database. Everyone may query it unless the levels say otherwise. */
export async function setDatabaseLevels(
  deps: AccessDeps,
  caller: Caller,
  { databaseId, levels }: { databaseId: string; levels: GroupLevel<DatabaseLevel>[] },
): Promise<void> {
  requireAdmin(caller)
  const { organizationId } = caller
  const database = await getDatabaseConfig(deps, caller, databaseId)
  if (readsSavedQueries(database)) {
    throw badInput('/levels', 'cannot be set for the database of saved queries: each result is as visible as the queries it is made of')
  }
  // What is not stored costs nothing: without grants, no request asks for them.
  const stored = levels.filter(({ groupId, level }) => level !== (groupId === null ? 'query' : 'none'))
  await deps.db.transaction().execute(async (tx) => {
    await checkGroups(tx, caller, levels)
    const before = (await readDatabaseGrants(tx, organizationId)).filter(({ subjectId }) => subjectId === databaseId)
    await replaceDatabaseGrants(tx, { organizationId, subjectId: databaseId, levels: stored })
    await recordChange({ ...deps, tx }, caller, {
      action: 'database.access_changed',
      subject: { type: 'database', id: databaseId, name: database.name },
      details: { changes: changesOf({ levels: levelsOf(before) }, { levels: stored }) },
    })
  })
}

/** Replaces the levels of all groups on a folder. Without levels, it has those of the folder that it is in. */
export async function setFolderLevels(
  deps: AccessDeps,
  caller: Caller,
  { folderId, levels }: { folderId: string; levels: GroupLevel<FolderLevel>[] },
): Promise<void> {
  requireAdmin(caller)
  const { organizationId } = caller
  await deps.db.transaction().execute(async (tx) => {
    await checkGroups(tx, caller, levels)
    const folder = (await listFolders(tx, organizationId)).find(({ id }) => id === folderId)
    if (!folder) throw new Refusal('folder_not_found', `There is no folder ${JSON.stringify(folderId)}. It may have been deleted.`)
    const before = (await readFolderGrants(tx, organizationId)).filter(({ subjectId }) => subjectId === folderId)
    await replaceFolderGrants(tx, { organizationId, subjectId: folderId, levels })
    await recordChange({ ...deps, tx }, caller, {
      action: 'folder.access_changed',
      subject: { type: 'folder', id: folderId, name: folder.name },
      details: { changes: changesOf({ levels: levelsOf(before) }, { levels }) },
    })
  })
}

/** Also refuses levels that could not be enforced. */
async function checkGroups(tx: Tx, { organizationId }: Caller, levels: GroupLevel<string>[]): Promise<void> {
  if (!(await hasVisibleSchema(tx))) {
    throw new Refusal('forbidden', 'Access cannot be restricted yet. Give the service’s database role the privilege CREATE, then restart the service.')
  }
  const known = new Set<string | null>([null, ...(await lockGroups(tx, organizationId)).map(({ id }) => id)])
  for (const [at, { groupId }] of levels.entries()) {
    if (!known.has(groupId)) throw badInput(`/levels/${at}/groupId`, 'is not a group of your organization')
    if (levels.findIndex((each) => each.groupId === groupId) < at) throw badInput(`/levels/${at}/groupId`, 'is listed twice')
  }
}

const levelsOf = <Level>(grants: GroupLevel<Level>[] = []): GroupLevel<Level>[] => grants.map(({ groupId, level }) => ({ groupId, level }))
