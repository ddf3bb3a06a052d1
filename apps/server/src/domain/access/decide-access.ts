import {
  type Access,
  type AccessRules,
  databaseLevels,
  type FolderLevel,
  folderLevels,
  type Grant,
} from '../../model/access.ts'
import type { Caller, GroupKey } from '../../model/caller.ts'
import type { Role } from '../../model/people.ts'

/** Computes what a member of these groups may do. The only place where grants become access. */
export function accessOf(rules: AccessRules, groupIds: readonly string[]): Access {
  const own = new Set(groupIds)
  const databases = Map.groupBy(rules.databaseGrants, ({ subjectId }) => subjectId)
  const withDatabaseLevel = (wanted: (typeof databaseLevels)[number]) =>
    [...databases].filter(([, grants]) => highest(databaseLevels, 'query', grants, own) === wanted).map(([id]) => id)
  const folderLevelOf = folderLevelsOf(rules, own)
  const withFolderLevel = (wanted: (typeof folderLevels)[number]) =>
    rules.folders.filter(({ id }) => folderLevelOf(id) === wanted).map(({ id }) => id)
  return {
    hiddenDatabaseIds: withDatabaseLevel('none'),
    hiddenFolderIds: withFolderLevel('none'),
    readOnlyFolderIds: withFolderLevel('view'),
    managedDatabaseIds: withDatabaseLevel('manage'),
  }
}

/**
 * The groups whose levels count for an API key that belongs to groups. A key never sees more than its member: admins may give their keys
 * any group, and of the others' keys only the groups count that the member is in now.
 */
export const groupsOfKey = (ofKey: readonly string[], { role, groupIds }: { role: Role | null; groupIds: readonly string[] }): string[] =>
  ofKey.filter((id) => role === 'admin' || groupIds.includes(id))

/** A key that belongs to groups is never an admin, because groups say nothing about administration. */
export const roleOfKey = (role: Role, groupKey: GroupKey | null): Pick<Caller, 'role' | 'groupKey'> =>
  groupKey ? { role: 'member', groupKey } : { role }

/** A folder without grants has the level of the nearest folder above it that has some. In a hidden folder, everything is hidden. */
function folderLevelsOf({ folderGrants, folders }: AccessRules, own: ReadonlySet<string>) {
  const grantsOf = Map.groupBy(folderGrants, ({ subjectId }) => subjectId)
  const parentOf = new Map(folders.map(({ id, parentId }) => [id, parentId]))
  return (folderId: string): FolderLevel => {
    let nearest: FolderLevel | undefined
    for (let id: string | null = folderId; id !== null; id = parentOf.get(id) ?? null) {
      const grants = grantsOf.get(id)
      if (!grants) continue
      const level = highest(folderLevels, 'edit', grants, own)
      if (level === 'none') return 'none'
      nearest ??= level
    }
    return nearest ?? 'edit'
  }
}

/** Everyone has `ofEveryone` unless a grant says otherwise. */
function highest<Level extends string>(
  levels: readonly Level[],
  ofEveryone: NoInfer<Level>,
  grants: Grant<Level>[],
  own: ReadonlySet<string>,
): Level {
  const everyone = grants.find(({ groupId }) => groupId === null)?.level ?? ofEveryone
  const granted = grants.flatMap(({ groupId, level }) => (groupId !== null && own.has(groupId) ? level : []))
  return [everyone, ...granted].reduce((best, level) => (levels.indexOf(level) > levels.indexOf(best) ? level : best))
}

/** Something that access depends on. Saved queries have both; `folderId` is null outside folders. */
export interface Resource {
  databaseId?: string | null
  folderId?: string | null
}

/**
 * - `see`: read it, and for a database also query it and see its tables.
 * - `change`: change, move or delete something in a folder, or the folder.
 * - `manage`: change the connection of a database.
 */
export type AccessAction = 'see' | 'change' | 'manage'

/** `hidden`: rejected as if it did not exist. */
export type AccessDecision = 'allowed' | 'hidden' | 'refused'

/** The decision for one action on one resource of the caller's organization. */
export function decideAccess({ role, access }: Pick<Caller, 'role' | 'access'>, action: AccessAction, resource: Resource): AccessDecision {
  if (role === 'admin') return 'allowed'
  const { databaseId = null, folderId = null } = resource
  if (isIn(access?.hiddenDatabaseIds, databaseId) || isIn(access?.hiddenFolderIds, folderId)) return 'hidden'
  switch (action) {
    case 'see':
      return 'allowed'
    case 'change':
      return isIn(access?.readOnlyFolderIds, folderId) ? 'refused' : 'allowed'
    case 'manage':
      return isIn(access?.managedDatabaseIds, databaseId) ? 'allowed' : 'refused'
  }
}

const isIn = (ids: readonly string[] | undefined, id: string | null) => id !== null && ids?.includes(id) === true

/** Whether the caller may see everything of the organization. */
export const seesEverything = ({ role, access }: Pick<Caller, 'role' | 'access'>): boolean =>
  role === 'admin' || access === undefined || (access.hiddenDatabaseIds.length === 0 && access.hiddenFolderIds.length === 0)
