import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findUser } from '../../store/people/find-user-by-email.ts'
import { setOrganizationName } from '../../store/people/organization-settings.ts'
import { deleteSessionsOf } from '../../store/people/sessions.ts'
import { changeUser, isEmailOfAnother, readOrganizationsOf } from '../../store/people/users.ts'
import { badInput, checkEmail } from './check-text.ts'
import { readLink, useLink } from './links.ts'
import { checkOrganizationName, checkPersonName } from './organizations.ts'
import { hashPassword } from './passwords.ts'
import { type OpenedSession, startSession } from './sessions.ts'

const purpose = 'welcome'

export interface Welcome {
  email: string
  organizationName: string
}

/** What stands in the welcome form when it is opened. */
export async function readWelcome(deps: { db: Db; clock: Clock }, { token }: { token: string }): Promise<Welcome> {
  const { userId } = await readLink(deps, { token, purpose })
  const user = await findUser(deps.db, userId)
  const [organization] = await readOrganizationsOf(deps.db, userId)
  return { email: user!.email, organizationName: organization?.name ?? '' }
}

/**
 * The first admin makes the account their own: the printed password opens nothing any more, and whoever had signed in
 * with it is out.
 */
export async function finishWelcome(
  deps: { db: Db; clock: Clock; random: Random },
  input: {
    token: string
    name: string
    /** Without it the address of the first start stays. */
    email?: string
    password: string
    organizationName: string
    userAgent?: string | undefined
  },
): Promise<OpenedSession> {
  const { token, userAgent } = input
  await readLink(deps, { token, purpose })
  const organizationName = checkOrganizationName(input.organizationName)
  const name = checkPersonName(input.name)
  const email = input.email === undefined ? undefined : checkEmail(input.email)
  const passwordHash = await hashPassword(deps.random, input.password)
  return deps.db.transaction().execute(async (tx) => {
    const { userId } = await useLink({ tx, clock: deps.clock }, { token, purpose })
    if (email !== undefined && (await isEmailOfAnother(tx, { email, userId }))) {
      throw badInput('/email', 'belongs to somebody else here')
    }
    await changeUser(tx, userId, { name, passwordHash, ...(email !== undefined && { email }) })
    const [organization] = await readOrganizationsOf(tx, userId)
    if (organization?.role === 'admin') await setOrganizationName(tx, organization.id, organizationName)
    await deleteSessionsOf(tx, { userId })
    return startSession({ ...deps, db: tx }, { userId, userAgent })
  })
}
