import type { Clock } from '../../ports/clock.ts'
import type { OidcProvider } from '../../ports/oidc.ts'
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
  oidc: Pick<OidcProvider, 'managesRoles'> | null
}

/**
 * The people of an organization. Everyone can see them; admins change roles and remove people, and everyone may leave.
 *
 * - An organization always has an admin: the last one can neither leave nor lose the role, however many requests arrive at once.
 * - A removed member is locked out from the next request on: sessions and API keys belong to the membership.
 */
export async function listMembers(deps: Pick<Deps, 'db' | 'oidc'>, caller: Caller): Promise<Member[]> {
  const isAdmin = caller.role === 'admin'
  const members = await readMembers(deps.db, caller.organizationId)
  return members.map(({ id, name, email, role, joinedAt, hasSecondFactor, isRoleFromProvider }) => ({
    id,
    name,
    email,
    role,
    joinedAt,
    hasSecondFactor: isAdmin ? hasSecondFactor : null,
    isRoleFromProvider: isManaged(deps, { isRoleFromProvider }),
  }))
}

/** Roles that the provider once set can be changed again when it no longer manages them. */
const isManaged = ({ oidc }: Pick<Deps, 'oidc'>, { isRoleFromProvider }: { isRoleFromProvider: boolean }) =>
  isRoleFromProvider && oidc?.managesRoles === true

export interface Member extends Omit<MemberRow, 'hasSecondFactor'> {
  /** Null for those who may not know: it would show them whose password is worth guessing. */
  hasSecondFactor: boolean | null
}

export async function changeRole(
  deps: Deps,
  caller: Caller,
  { userId, role }: { userId: string; role: Role },
): Promise<Member> {
  requireAdmin(caller)
  const { organizationId } = caller
  await deps.db.transaction().execute(async (tx) => {
    const { role: before, ...locked } = await lockMember(tx, caller, userId, { staysAdmin: role === 'admin' })
    if (isManaged(deps, locked)) throw roleFromProvider()
    await setRole(tx, { organizationId, userId, role, isFromProvider: false })
    await recordChange({ ...deps, tx }, caller, {
      action: 'member.role_changed',
      subject: await asSubject(tx, userId),
      details: { changes: before === role ? {} : { role: { before, after: role } } },
    })
  })
  return (await listMembers(deps, caller)).find(({ id }) => id === userId) ?? throwUnknownMember()
}

export async function removeMember(deps: Deps, caller: Caller, userId: string): Promise<void> {
  if (userId !== caller.userId) requireAdmin(caller)
  await deps.db.transaction().execute(async (tx) => {
    const { role } = await lockMember(tx, caller, userId, { staysAdmin: false })
    const action = userId === caller.userId ? 'member.left' : 'member.removed'
    await recordAction({ ...deps, tx }, caller, { action, subject: await asSubject(tx, userId), details: { role } })
    await deleteMember(tx, { organizationId: caller.organizationId, userId })
  })
}

/** The caller's permissions may have changed since the request arrived, so check them again under a lock. */
async function lockMember(tx: Tx, caller: Caller, userId: string, { staysAdmin }: { staysAdmin: boolean }): Promise<LockedMember> {
  const { organizationId } = caller
  const held = isId(userId) ? await lockAdminsAndMember(tx, { organizationId, userId }) : []
  const find = (id: string) => held.find((member) => member.userId === id)
  const found = find(userId)
  if (found === undefined) return throwUnknownMember()
  if (userId !== caller.userId) requireAdmin({ ...caller, role: find(caller.userId)?.role ?? 'member' })
  const otherAdmins = held.filter((member) => member.role === 'admin' && member.userId !== userId)
  if (found.role === 'admin' && !staysAdmin && otherAdmins.length === 0) {
    throw new Refusal('last_admin', 'This is the organization’s only admin. Make someone else an admin first.')
  }
  return found
}

interface LockedMember {
  role: Role
  isRoleFromProvider: boolean
}

const roleFromProvider = () =>
  new Refusal('forbidden', 'The identity provider decides the role of this member. Change it there; it applies at the next sign-in.')

async function asSubject(tx: Tx, userId: string) {
  return { type: 'user', id: userId, name: (await findUser(tx, userId))?.email ?? null } as const
}

function throwUnknownMember(): never {
  throw new Refusal('member_not_found', 'There is no such member in your organization. Check the list of members.')
}
