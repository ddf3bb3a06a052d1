import { accessLimits, type Group } from '../../model/access.ts'
import type { Caller } from '../../model/caller.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import {
  insertGroup,
  lockGroups,
  readGroups,
  removeGroup,
  renameGroup,
  replaceGroupMembers,
} from '../../store/access/groups-table.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findMembers } from '../../store/people/memberships-table.ts'
import { changesOf } from '../audit/changes.ts'
import { recordAction, recordChange } from '../audit/record-action.ts'
import { newId } from '../ids.ts'
import { badInput, checkText } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { requireAdmin } from '../access/require-admin.ts'

/** Groups of members. Admins manage them; what they may see is in access-levels.ts. */
export interface GroupsDeps {
  db: Db
  clock: Clock
  random: Random
}

export async function listGroups(deps: Pick<GroupsDeps, 'db'>, caller: Caller): Promise<Group[]> {
  requireAdmin(caller)
  return readGroups(deps.db, caller.organizationId)
}

export async function createGroup(deps: GroupsDeps, caller: Caller, input: { name: string; memberIds?: string[] }): Promise<Group> {
  requireAdmin(caller)
  const name = checkName(input.name)
  const { organizationId } = caller
  const id = newId(deps.random, 'group')
  return deps.db.transaction().execute(async (tx) => {
    const groups = await lockGroups(tx, organizationId)
    if (groups.length >= accessLimits.groups) {
      throw new Refusal('invalid_request', `Your organization has ${groups.length} groups, the maximum. Delete some first.`)
    }
    refuseTakenName(groups, { name })
    await insertGroup(tx, { id, organizationId, name, createdBy: caller.userId, now: deps.clock.now() })
    await setMembers(tx, caller, { id, memberIds: input.memberIds ?? [] })
    const group = await findGroup(tx, caller, id)
    const details = { memberIds: group.memberIds }
    await recordAction({ ...deps, tx }, caller, { action: 'group.created', subject: subjectOf(group), details })
    return group
  })
}

/** Renames a group or replaces its members. */
export async function editGroup(
  deps: GroupsDeps,
  caller: Caller,
  { id, ...edit }: { id: string; name?: string; memberIds?: string[] },
): Promise<Group> {
  requireAdmin(caller)
  return deps.db.transaction().execute(async (tx) => {
    const groups = await lockGroups(tx, caller.organizationId)
    const before = groups.find((group) => group.id === id) ?? notFound(id)
    if (edit.name !== undefined) {
      const name = checkName(edit.name)
      refuseTakenName(groups, { id, name })
      await renameGroup(tx, { id, name })
    }
    if (edit.memberIds) await setMembers(tx, caller, { id, memberIds: edit.memberIds })
    const after = await findGroup(tx, caller, id)
    const details = { changes: changesOf(auditFields(before), auditFields(after)) }
    await recordChange({ ...deps, tx }, caller, { action: 'group.changed', subject: subjectOf(before), details })
    return after
  })
}

export async function deleteGroup(deps: GroupsDeps, caller: Caller, id: string): Promise<void> {
  requireAdmin(caller)
  await deps.db.transaction().execute(async (tx) => {
    const groups = await lockGroups(tx, caller.organizationId)
    const group = groups.find((each) => each.id === id) ?? notFound(id)
    await removeGroup(tx, id)
    await recordAction({ ...deps, tx }, caller, { action: 'group.deleted', subject: subjectOf(group) })
  })
}

async function setMembers(tx: Tx, { organizationId }: Caller, { id, memberIds }: { id: string; memberIds: string[] }): Promise<void> {
  const userIds = [...new Set(memberIds)]
  const members = await findMembers(tx, { organizationId, userIds })
  if (members.length < userIds.length) throw badInput('/memberIds', 'must be members of your organization')
  await replaceGroupMembers(tx, { id, organizationId, userIds })
}

const findGroup = async (tx: Tx, { organizationId }: Caller, id: string): Promise<Group> =>
  (await readGroups(tx, organizationId)).find((group) => group.id === id) ?? notFound(id)

const checkName = (name: string) => checkText({ path: '/name', text: name, maxCharacters: accessLimits.groupNameCharacters })

function refuseTakenName(groups: Group[], wanted: { id?: string; name: string }): void {
  const isSame = ({ id, name }: Group) => id !== wanted.id && name.toLowerCase() === wanted.name.toLowerCase()
  if (groups.some(isSame)) throw new Refusal('group_name_taken', `There is already a group "${wanted.name}". Choose another name.`)
}

const subjectOf = ({ id, name }: Group) => ({ type: 'group', id, name }) as const
const auditFields = ({ name, memberIds }: Group) => ({ name, memberIds })

function notFound(id: string): never {
  throw new Refusal('group_not_found', `There is no group ${JSON.stringify(id)}. It may have been deleted.`)
}
