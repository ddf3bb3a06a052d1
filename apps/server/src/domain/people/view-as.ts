import type { Caller } from '../../model/caller.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findUser } from '../../store/people/find-user-by-email.ts'
import { findMembers } from '../../store/people/memberships-table.ts'
import { setViewedMember } from '../../store/people/sessions-table.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { recordAction } from '../audit/record-action.ts'
import { isId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import { badInput } from './check-text.ts'
import { secretHash } from './secret-hash.ts'

interface Deps {
  db: Db
  clock: Clock
  random: Random
}

/**
 * An admin looks at the pages as a member sees them. From then on, the session's caller is that member, and can change nothing. It ends when
 * the admin stops it, leaves, or is no longer an admin.
 */
export async function startViewing(deps: Deps, caller: Caller, { userId, token }: { userId: string; token: string }): Promise<void> {
  requireAdmin(caller)
  const { organizationId } = caller
  await deps.db.transaction().execute(async (tx) => {
    const [member] = isId(userId) ? await findMembers(tx, { organizationId, userIds: [userId] }) : []
    if (!member) throw new Refusal('member_not_found', 'There is no such member in your organization. Check the list of members.')
    if (userId === caller.userId) throw badInput('/userId', 'must be another member')
    await setViewedMember(tx, { tokenHash: secretHash(token), userId })
    const subject = { type: 'user', id: userId, name: (await findUser(tx, userId))?.email ?? null } as const
    await recordAction({ ...deps, tx }, caller, { action: 'member.view_started', subject })
  })
}

/** Does nothing if the session views nobody. */
export async function stopViewing(deps: Deps, caller: Caller, token: string): Promise<void> {
  const { viewedBy, userId } = caller
  if (viewedBy === undefined) return
  await deps.db.transaction().execute(async (tx) => {
    await setViewedMember(tx, { tokenHash: secretHash(token), userId: null })
    const subject = { type: 'user', id: userId, name: (await findUser(tx, userId))?.email ?? null } as const
    await recordAction({ ...deps, tx }, caller, { action: 'member.view_ended', subject })
  })
}

/** Before anything changes. */
export function refuseWhileViewing({ viewedBy }: Pick<Caller, 'viewedBy'>): void {
  if (viewedBy === undefined) return
  throw new Refusal('viewing_as_member', 'You are viewing as another member, so nothing can be changed. Stop viewing, then try again.')
}
