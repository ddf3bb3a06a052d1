import type { RowRule } from './row-rule.ts'

/**
 * Words:
 * - A *group* is a set of members. Every member also belongs to *everyone*, which is not stored.
 * - A *grant* gives a group a *level* on a database or a folder. Without grants, everyone may query every database and edit every folder.
 * - A member's level is the highest of their groups. Admins have the highest level on everything.
 * - Things that a member may not see are *hidden*: to that member they don't exist.
 */
export const databaseLevels = ['none', 'query', 'manage'] as const
export type DatabaseLevel = (typeof databaseLevels)[number]

export const folderLevels = ['none', 'view', 'edit'] as const
export type FolderLevel = (typeof folderLevels)[number]

export interface Group {
  id: string
  name: string
  memberIds: string[]
  createdAt: Date
}

/** `groupId` is null for everyone. */
export interface Grant<Level> {
  subjectId: string
  groupId: string | null
  level: Level
}

/** Everything that decides about the access of the members of an organization. */
export interface AccessRules {
  databaseGrants: Grant<DatabaseLevel>[]
  folderGrants: Grant<FolderLevel>[]
  /** Also deleted ones. */
  folders: { id: string; parentId: string | null }[]
  rowRules: { databaseId: string; rules: RowRule[] }[]
}

/** What one member may not do, and what an ordinary member may not but this one may. Admins have none. */
export interface Access {
  hiddenDatabaseIds: string[]
  hiddenFolderIds: string[]
  /** The member sees what is in these folders, and may not change it. */
  readOnlyFolderIds: string[]
  managedDatabaseIds: string[]
  /** See `RowBindings`. Set if the organization has row rules; then for admins too. */
  rowBindings?: RowBindings
}

/**
 * By the id of each database with row rules: the bindings of one person as text. Equal texts mean equal rows. A text that is no JSON stands
 * for the name of an attribute that the person lacks, and equals that of no run.
 */
export type RowBindings = Record<string, string>

export const accessLimits = { groups: 200, groupNameCharacters: 100 } as const
