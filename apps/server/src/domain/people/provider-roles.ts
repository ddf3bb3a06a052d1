import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Origin } from '../../model/caller.ts'
import type { Db } from '../../store/db.ts'
import { findUser } from '../../store/people/find-user-by-email.ts'
import { lockAdminsAndMember, setRole } from '../../store/people/memberships-table.ts'
import { findFirstOrganization } from '../../store/people/oidc-identities.ts'
import { unnamedActor } from '../audit/actor.ts'
import { recordChange } from '../audit/record-action.ts'

/**
 * Gives a person the role that the identity provider names, in the organization of the first start: the operator chooses the provider, and
 * other organizations on the service decide for themselves. Applied at every sign-in. The last admin stays one, so that a wrong setting locks
 * nobody out.
 */
export async function applyProviderRole(
  deps: { db: Db; clock: Clock; random: Random },
  input: { userId: string; isAdmin: boolean; origin: Origin | undefined },
): Promise<void> {
  const { userId, origin } = input
  await deps.db.transaction().execute(async (tx) => {
    const organizationId = await findFirstOrganization(tx)
    if (organizationId === undefined) return
    const held = await lockAdminsAndMember(tx, { organizationId, userId })
    const before = held.find((member) => member.userId === userId)?.role
    if (before === undefined) return
    const isLastAdmin = before === 'admin' && held.every((member) => member.userId === userId || member.role !== 'admin')
    const role = input.isAdmin || isLastAdmin ? 'admin' : 'member'
    await setRole(tx, { organizationId, userId, role, isFromProvider: true })
    await recordChange({ ...deps, tx }, unnamedActor('service', { organizationId, origin }), {
      action: 'member.role_changed',
      subject: { type: 'user', id: userId, name: (await findUser(tx, userId))!.email },
      details: { by: 'identity provider', changes: before === role ? {} : { role: { before, after: role } } },
    })
  })
}
