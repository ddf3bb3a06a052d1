import type { Caller } from '../../model/caller.ts'
import { lockGroups, readGroups } from '../../store/access/groups-table.ts'
import type { Db, Tx } from '../../store/db.ts'
import { badInput } from './check-text.ts'

type Owner = Pick<Caller, 'organizationId' | 'userId' | 'role'>

/** The groups that someone's keys can belong to: for admins all groups, for others those they are in. */
export async function listGroupsOfKeys(deps: { db: Db }, owner: Owner): Promise<{ id: string; name: string }[]> {
  const groups = await readGroups(deps.db, owner.organizationId)
  return groups.filter(({ memberIds }) => owner.role === 'admin' || memberIds.includes(owner.userId)).map(({ id, name }) => ({ id, name }))
}

/** Groups of others are rejected like ones that don't exist. */
export async function checkGroupsOfKey(tx: Tx, owner: Owner, groupIds: readonly string[] | null): Promise<string[] | null> {
  if (groupIds === null) return null
  await lockGroups(tx, owner.organizationId)
  const allowed = new Set((await listGroupsOfKeys({ db: tx }, owner)).map(({ id }) => id))
  const unknown = groupIds.findIndex((id) => !allowed.has(id))
  if (unknown >= 0) throw badInput(`/groupIds/${unknown}`, 'must be a group that the member of the key belongs to')
  return [...new Set(groupIds)].toSorted()
}
