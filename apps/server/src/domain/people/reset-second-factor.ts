import type { Clock } from '../../ports/clock.ts'
import type { Mail } from '../../ports/mail.ts'
import type { Random } from '../../ports/random.ts'
import type { Caller } from '../../model/caller.ts'
import type { Db } from '../../store/db.ts'
import { findUser } from '../../store/people/find-user-by-email.ts'
import { findMembers } from '../../store/people/memberships-table.ts'
import { deleteSecondFactor } from '../../store/people/second-factors-table.ts'
import { deleteSessionsOf } from '../../store/people/sessions-table.ts'
import { readOrganizationsOf } from '../../store/people/users-table.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { recordAction, recordForAccount } from '../audit/record-action.ts'
import { isId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import { accountSubject } from './account-settings.ts'
import type { PendingJobs } from './pending-jobs.ts'
import { sendSecondFactorEmail } from './second-factor-emails.ts'

const action = 'second_factor.reset'

/**
 * For a member who has lost both the app and the recovery codes. It ends their sessions, so that they set up another factor when they
 * next sign in, if the organization requires one. It does nothing for someone without a second factor.
 *
 * An account has one second factor for all its organizations. An admin of one of them must not remove what protects the others, so the
 * admin has to be one in all of them; otherwise the operator can do it.
 */
export async function resetSecondFactor(
  deps: { db: Db; clock: Clock; random: Random; mail: Mail | null; pendingJobs: PendingJobs },
  caller: Caller,
  userId: string,
): Promise<void> {
  requireAdmin(caller)
  const members = isId(userId) ? await findMembers(deps.db, { organizationId: caller.organizationId, userIds: [userId] }) : []
  if (members.length === 0) {
    throw new Refusal('member_not_found', 'There is no such member in your organization. Check the list of members.')
  }
  if (userId === caller.userId) throw new Refusal('forbidden', 'Turn off your own second factor in your account settings.')
  const user = (await findUser(deps.db, userId))!
  const isReset = await deps.db.transaction().execute(async (tx) => {
    const own = await readOrganizationsOf(tx, caller.userId)
    const organizations = await readOrganizationsOf(tx, userId)
    const isAdminOf = (id: string) => own.some((each) => each.id === id && each.role === 'admin')
    if (!organizations.every(({ id }) => isAdminOf(id))) throw onlyOperator()
    if (!(await deleteSecondFactor(tx, userId))) return false
    await deleteSessionsOf(tx, { userId })
    for (const { id: organizationId } of organizations) {
      const subject = { type: 'user', ...accountSubject(user) } as const
      await recordAction({ ...deps, tx }, { ...caller, organizationId }, { action, subject })
    }
    return true
  })
  if (isReset) sendSecondFactorEmail(deps, { to: user.email, change: action })
}

const onlyOperator = () =>
  new Refusal('forbidden', 'Only the operator of this service can reset this member’s second factor, with the command reset-second-factor.')

/** For an account that no admin can help. False if it has no second factor. */
export function resetSecondFactorAsOperator(
  deps: { db: Db; clock: Clock; random: Random },
  user: { id: string; email: string },
): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await deleteSecondFactor(tx, user.id))) return false
    await deleteSessionsOf(tx, { userId: user.id })
    await recordForAccount({ ...deps, tx }, { kind: 'operator' }, { action, user: accountSubject(user) })
    return true
  })
}
