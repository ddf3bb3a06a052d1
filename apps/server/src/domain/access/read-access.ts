import type { Access } from '../../model/access.ts'
import type { Caller } from '../../model/caller.ts'
import { readAccessRules } from '../../store/access/read-access-rules.ts'
import type { Viewer } from '../../store/access/viewer.ts'
import type { Db, Tx } from '../../store/db.ts'
import { accessOf, seesEverything } from './decide-access.ts'

interface Member {
  organizationId: string
  userId: string
}

/** What a member may see and do by the current rules. Undefined for an admin. */
export async function readAccess(db: Db | Tx, member: Member): Promise<Access | undefined> {
  const { groupIds, role, ...rules } = await readAccessRules(db, member)
  return role === 'admin' ? undefined : accessOf(rules, groupIds)
}

/** For a caller who is known otherwise. */
export async function withAccess(db: Db | Tx, caller: Caller): Promise<Caller> {
  const access = caller.role === 'admin' ? undefined : await readAccess(db, caller)
  return access ? { ...caller, access } : caller
}

/** Undefined if the caller may see everything. */
export function viewerOf(caller: Pick<Caller, 'userId' | 'role' | 'access'>): Viewer | undefined {
  if (seesEverything(caller)) return undefined
  const { hiddenDatabaseIds, hiddenFolderIds } = caller.access!
  return { userId: caller.userId, hiddenDatabaseIds, hiddenFolderIds }
}

/** Undefined if the member may see everything. */
export async function readViewer(db: Db | Tx, member: Member): Promise<Viewer | undefined> {
  const access = await readAccess(db, member)
  return access && viewerOf({ ...member, role: 'member', access })
}
