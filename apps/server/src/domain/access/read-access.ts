import type { Access } from '../../model/access.ts'
import type { Caller, GroupKey } from '../../model/caller.ts'
import { readAccessRules, readRowRules } from '../../store/access/read-access-rules.ts'
import type { Viewer } from '../../store/viewer.ts'
import type { Db, Tx } from '../../store/db.ts'
import { rowBindingsOf, rowBindingsOfAutomations } from '../row-rules/row-bindings.ts'
import { accessOf, groupsOfKey, seesEverything } from './decide-access.ts'

interface Member {
  organizationId: string
  userId: string
  groupKey?: GroupKey
}

/** What a member, or a key that belongs to groups, may see and do by the current rules. Undefined for an admin without row rules. */
export async function readAccess(db: Db | Tx, member: Member): Promise<Access | undefined> {
  const { groupIds, role, attributes, ...rules } = await readAccessRules(db, member)
  const rowBindings = rowBindingsOf(rules.rowRules, attributes)
  const { groupKey } = member
  if (role === 'admin' && !groupKey) return rowBindings && { ...accessToEverything, rowBindings }
  const ownGroupIds = groupKey ? groupsOfKey(groupKey.groupIds, { role, groupIds }) : groupIds
  return { ...accessOf(rules, ownGroupIds), ...(rowBindings && { rowBindings }) }
}

const accessToEverything: Access = { hiddenDatabaseIds: [], hiddenFolderIds: [], readOnlyFolderIds: [], managedDatabaseIds: [] }

/** For a caller who is known otherwise. */
export async function withAccess(db: Db | Tx, caller: Caller): Promise<Caller> {
  const access = await readAccess(db, caller)
  return access ? { ...caller, access } : caller
}

/** Undefined if the caller may see everything, and everyone sees the same rows. */
export function viewerOf(caller: Pick<Caller, 'userId' | 'role' | 'access' | 'groupKey'>): Viewer | undefined {
  const { userId, access, groupKey } = caller
  if (!access || (seesEverything(caller) && !access.rowBindings)) return undefined
  const { hiddenDatabaseIds, hiddenFolderIds, rowBindings } = access
  return { id: groupKey?.id ?? userId, hiddenDatabaseIds, hiddenFolderIds, ...(rowBindings && { rowBindings }) }
}

/** Automations see everything, but only rows for the values that row rules give them. Undefined without row rules. */
export async function readAutomationViewer(db: Db | Tx, { organizationId, userId }: Member): Promise<Viewer | undefined> {
  const rowBindings = rowBindingsOfAutomations(await readRowRules(db, organizationId))
  return rowBindings && { id: userId, hiddenDatabaseIds: [], hiddenFolderIds: [], rowBindings }
}

/** Undefined if the member may see everything. */
export async function readViewer(db: Db | Tx, member: Member): Promise<Viewer | undefined> {
  const access = await readAccess(db, member)
  return access && viewerOf({ ...member, role: 'member', access })
}
