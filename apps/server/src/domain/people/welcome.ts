import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findFirstAdminToWelcome } from '../../store/people/find-first-admin-to-welcome.ts'
import { findUser } from '../../store/people/find-user-by-email.ts'
import { setOrganizationName } from '../../store/people/organizations-table.ts'
import { deleteUnusedLinks } from '../../store/people/person-links-table.ts'
import { deleteSessionsOf } from '../../store/people/sessions-table.ts'
import { changeUser, isEmailTaken, readOrganizationsOf } from '../../store/people/users-table.ts'
import { changesOf } from '../audit/changes.ts'
import { personActor } from '../audit/actor.ts'
import { recordChange, type RecordDeps, recordForAccount } from '../audit/record-action.ts'
import { accountSubject } from './account-settings.ts'
import type { Origin } from '../../model/caller.ts'
import { badInput, checkEmail } from './check-text.ts'
import type { KeptSignIn } from './pending-sign-in.ts'
import { makeLink, readLink, useLink } from './person-links.ts'
import { checkOrganizationName, checkPersonName } from './organizations.ts'
import { hashPassword } from './passwords.ts'
import { type OpenedSession, type SessionDeps, startSession } from './sessions.ts'

const purpose = 'welcome'

export interface Welcome {
  email: string
  organizationName: string
}

/**
 * Another welcome link, if nobody has used the credentials of the first start. That start may have been interrupted before it printed
 * them, and they can't be read again. Earlier links keep working, because processes that start together each print one.
 */
export async function renewWelcome(deps: { db: Db; clock: Clock; random: Random }): Promise<{ token: string } | undefined> {
  const admin = await findFirstAdminToWelcome(deps.db)
  return admin && makeLink(deps, { userId: admin.userId, purpose })
}

/** The initial content of the welcome form. */
export async function readWelcome(deps: { db: Db; clock: Clock }, { token }: { token: string }): Promise<Welcome> {
  const { userId } = await readLink(deps, { token, purpose })
  const user = await findUser(deps.db, userId)
  const [organization] = await readOrganizationsOf(deps.db, userId)
  return { email: user!.email, organizationName: organization?.name ?? '' }
}

/** The first admin takes over the account: the printed password stops working, and sessions opened with it end. */
export async function finishWelcome(
  deps: SessionDeps,
  input: {
    token: string
    name: string
    /** If omitted, the e-mail of the first start stays. */
    email?: string
    password: string
    organizationName: string
    userAgent?: string | undefined
    origin?: Origin | undefined
  },
): Promise<OpenedSession | KeptSignIn> {
  const { token, userAgent, origin } = input
  await readLink(deps, { token, purpose })
  const organizationName = checkOrganizationName(input.organizationName)
  const name = checkPersonName(input.name)
  const email = input.email === undefined ? undefined : checkEmail(input.email)
  const passwordHash = await hashPassword(deps, input.password)
  return deps.db.transaction().execute(async (tx) => {
    const { userId } = await useLink({ tx, clock: deps.clock }, { token, purpose })
    if (email !== undefined && (await isEmailTaken(tx, { email, userId }))) {
      throw badInput('/email', 'already belongs to someone else')
    }
    const before = (await findUser(tx, userId))!
    await changeUser(tx, userId, { name, passwordHash, ...(email !== undefined && { email }) })
    const [organization] = await readOrganizationsOf(tx, userId)
    if (organization?.role === 'admin') {
      await setOrganizationName(tx, organization.id, organizationName)
      await recordRenaming({ ...deps, tx }, { organization, userId, organizationName, origin })
    }
    await deleteUnusedLinks(tx, userId)
    await deleteSessionsOf(tx, { userId })
    const entry = { action: 'account.changed', details: { by: 'welcome', changes: changesOf(before, { name, email }) } } as const
    await recordForAccount({ ...deps, tx }, { kind: 'person', origin }, { ...entry, user: accountSubject(before) })
    return startSession({ ...deps, db: tx }, { userId, userAgent, origin, method: 'welcome' })
  })
}

async function recordRenaming(
  deps: RecordDeps,
  to: { organization: { id: string; name: string }; userId: string; organizationName: string; origin: Origin | undefined },
): Promise<void> {
  const { organization, userId, organizationName, origin } = to
  await recordChange(deps, personActor({ organizationId: organization.id, userId, origin }), {
    action: 'organization.changed',
    subject: { type: 'organization', id: organization.id, name: organization.name },
    details: { changes: changesOf(organization, { name: organizationName }) },
  })
}
