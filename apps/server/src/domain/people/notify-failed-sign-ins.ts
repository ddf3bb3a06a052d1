import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { claimSignInNotice } from '../../store/people/claim-sign-in-notice.ts'
import { readOrganizationsOf } from '../../store/people/users-table.ts'
import { notify } from '../notifications/notify.ts'
import { noticeAfterFailures, noticeEveryMs } from './sign-in-limits.ts'

/**
 * Notifies the owner of an account that strangers keep trying passwords for it, at most once a day. Only in the organization joined
 * first, which is the one shown after sign-in: a notification in each organization would send as many e-mails about one thing.
 */
export async function notifyFailedSignIns(
  deps: { db: Db; clock: Clock; random: Random },
  input: { userId: string; strangerFailures: number },
): Promise<void> {
  const { userId } = input
  if (input.strangerFailures < noticeAfterFailures) return
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    const [organization] = await readOrganizationsOf(tx, userId)
    if (!organization) return
    const lastBefore = new Date(now.getTime() - noticeEveryMs)
    if (!(await claimSignInNotice(tx, { userId, now, lastBefore }))) return
    const organizationId = organization.id
    await notify({ ...deps, tx }, { organizationId, userId, kind: 'sign_ins_failing', message, link: '/account' })
  })
}

const message = [
  `Someone entered a wrong password for your account at least ${noticeAfterFailures} times, from devices that have never signed in to it.`,
  'They did not get in. Sign-ins from new devices are slowed down for now; the devices you already use are not affected.',
  'If this was you, there is nothing to do. If not, make sure that your password is long and that you use it nowhere else,',
  'and check where you are signed in.',
].join(' ')
