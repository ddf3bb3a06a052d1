import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findUser } from '../../store/people/find-user-by-email.ts'
import { deleteMember, lockAdminsAndMember, type MemberRow, readMembers, setRole } from '../../store/people/memberships-table.ts'
import type { Role } from '../../model/people.ts'
import { recordAction, recordChange } from '../audit/record-action.ts'
import { isId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import { requireAdmin } from '../access/require-admin.ts'
import type { Caller } from '../../model/caller.ts'

interface Deps {
  db: Db
  clock: Clock
  random: Random
}

/**
 * The people of an organization. Everybody sees them; admins change roles and remove people, and everybody may leave.
 *
 * - An organization always has an admin: the last one can neither leave nor become a member, however many try at once.
 * - Whoever is removed is out with the next request: sessions and API keys belong to the membership.
 */
export async function listMembers(deps: { db: Db }, caller: Caller): Promise<MemberRow[]> {
  return readMembers(deps.db, caller.organizationId)
}

export async function changeRole(
  deps: Deps,
  caller: Caller,
  { userId, role }: { userId: string; role: Role },
): Promise<MemberRow> {
  requireAdmin(caller)
  const { organizationId } = caller
  await deps.db.transaction().execute(async (tx) => {
    const before = await holdMember(tx, caller, userId, { staysAdmin: role === 'admin' })
    await setRole(tx, { organizationId, userId, role })
    await recordChange({ ...deps, tx }, caller, {
      action: 'member.role_changed',
      subject: await asSubject(tx, userId),
      details: { changes: before === role ? {} : { role: { before, after: role } } },
    })
  })
  return (await readMembers(deps.db, organizationId)).find(({ id }) => id === userId) ?? refuseUnknown()
}

export async function removeMember(deps: Deps, caller: Caller, userId: string): Promise<void> {
  if (userId !== caller.userId) requireAdmin(caller)
  await deps.db.transaction().execute(async (tx) => {
    const role = await holdMember(tx, caller, userId, { staysAdmin: false })
    const action = userId === caller.userId ? 'member.left' : 'member.removed'
    await recordAction({ ...deps, tx }, caller, { action, subject: await asSubject(tx, userId), details: { role } })
    await deleteMember(tx, { organizationId: caller.organizationId, userId })
  })
}

/** What the request was allowed by may have changed since it came in, so it is looked at again while nothing can. */
async function holdMember(tx: Tx, caller: Caller, userId: string, { staysAdmin }: { staysAdmin: boolean }): Promise<Role> {
  const { organizationId } = caller
  const held = isId(userId) ? await lockAdminsAndMember(tx, { organizationId, userId }) : []
  const roleOf = (id: string) => held.find((member) => member.userId === id)?.role
  const role = roleOf(userId)
  if (role === undefined) return refuseUnknown()
  if (userId !== caller.userId) requireAdmin({ ...caller, role: roleOf(caller.userId) ?? 'member' })
  const otherAdmins = held.filter((member) => member.role === 'admin' && member.userId !== userId)
  if (role === 'admin' && !staysAdmin && otherAdmins.length === 0) {
    throw new Refusal('last_admin', 'This is the only admin of the organization. Make somebody else an admin first.')
  }
  return role
}

async function asSubject(tx: Tx, userId: string) {
  return { type: 'user', id: userId, name: (await findUser(tx, userId))?.email ?? null } as const
}

function refuseUnknown(): never {
  throw new Refusal('member_not_found', 'There is no such member in your organization. Look at the list of members.')
}
