import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { findUserByEmail, type FoundUser } from '../../store/people/find-user-by-email.ts'
import { type InvitationRow, markInvitationAccepted } from '../../store/people/invitations-table.ts'
import { isMemberByEmail } from '../../store/people/memberships-table.ts'
import { findOrganization } from '../../store/people/organizations-table.ts'
import { findSecondFactor } from '../../store/people/second-factors-table.ts'
import { findSessionMethod } from '../../store/people/sessions-table.ts'
import type { Role } from '../../model/people.ts'
import { recordJoining } from '../audit/record-joining.ts'
import { Refusal } from '../refusal.ts'
import { switchOrganization } from './account-sessions.ts'
import type { Caller, Origin } from '../../model/caller.ts'
import { badInput } from './check-text.ts'
import { decideEntry } from './decide-entry.ts'
import { findOpenInvitation, alreadyUsed } from './invitations.ts'
import type { KnownDevices } from './known-devices.ts'
import { addMember, checkPersonName, createUser } from './organizations.ts'
import type { KeptSignIn } from './pending-sign-in.ts'
import { hashPassword, unmatchableHash, verifyPassword } from './passwords.ts'
import { secretHash } from './secret-hash.ts'
import { type OpenedSession, type SessionDeps, startSession } from './sessions.ts'
import { secondFactorRequired, ssoRequired } from './sign-in-refusals.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

interface Deps extends SessionDeps {
  throttle: SignInThrottle
  knownDevices: KnownDevices
}

export interface ReadInvitation {
  organizationName: string
  email: string
  role: Role
  invitedByName: string
  expiresAt: Date
}

export async function readInvitation(deps: { db: Db; clock: Clock }, given: { token: string }): Promise<ReadInvitation> {
  const { organizationName, email, role, invitedBy, expiresAt } = await findOpenInvitation(deps, given)
  return { organizationName, email, role, invitedByName: invitedBy.name, expiresAt }
}

export interface Acceptance {
  token: string
  name?: string
  password?: string
  deviceCookie?: string | undefined
  userAgent?: string | undefined
  origin?: Origin | undefined
  /** The person signed in where the link was opened, if any. */
  signedIn: { caller: Caller; token: string } | undefined
}

/**
 * Only the invited address can join, no matter who holds the link. A new person gives a name and a password. The owner of an account
 * proves it by being signed in or with its password. Returns the new session, or none if the existing one continues in the new
 * organization.
 *
 * The inviting admin holds the link too, and must not learn from it whether the address has an account, perhaps in another
 * organization. Neither reading the invitation nor trying a password says so. Only an attempt to create the account does: it fails if
 * there is one, and otherwise uses the invitation up.
 */
export async function acceptInvitation(deps: Deps, input: Acceptance): Promise<OpenedSession | KeptSignIn | undefined> {
  const invitation = await findOpenInvitation(deps, input)
  const { organizationId } = invitation
  const account = await findUserByEmail(deps.db, invitation.email)
  const isSignedIn = account !== undefined && input.signedIn?.caller.userId === account.id
  await requireAdmission(deps, { organizationId, session: isSignedIn ? input.signedIn : undefined })
  const newPerson = isSignedIn ? undefined : await checkCredentials(deps, { email: invitation.email, account }, input)
  if (account && !isSignedIn && (await findSecondFactor(deps.db, account.id))) throw signInFirst()
  const userId = account
    ? await joinAs(deps, invitation, { account, origin: input.origin })
    : await joinAsNewPerson(deps, invitation, { ...newPerson!, origin: input.origin })
  const { userAgent, origin } = input
  if (!isSignedIn) return startSession(deps, { userId, organizationId, userAgent, origin, method: 'invitation' })
  const { caller, token } = input.signedIn!
  await switchOrganization(deps, { ...caller, ...(origin && { origin }) }, { organizationId, token })
  return undefined
}

const signInFirst = () =>
  new Refusal('second_factor_required', 'Your account has a second factor. Sign in first, then open the invitation link again.')

/** Nobody joins an organization that then wouldn’t let them in with the session they have. */
async function requireAdmission(
  deps: Deps,
  { organizationId, session }: { organizationId: string; session: Acceptance['signedIn'] },
): Promise<void> {
  const { secondFactorRequired: isFactorRequired, ssoRequired: isSsoRequired } = (await findOrganization(deps.db, organizationId))!
  const policy = { organizationId, role: 'member', secondFactorRequired: isFactorRequired, ssoRequired: isSsoRequired } as const
  const { kind } = decideEntry([policy], {
    method: session ? ((await findSessionMethod(deps.db, secretHash(session.token))) ?? null) : 'invitation',
    hasSecondFactor: session !== undefined && (await findSecondFactor(deps.db, session.caller.userId)) !== undefined,
    isCodeVerified: true,
    isSsoAvailable: deps.oidc !== null,
  })
  if (kind === 'sso') throw ssoRequired(deps.oidc!)
  // Someone who isn’t signed in sets it up after joining.
  if (kind === 'set_up' && session) throw secondFactorRequired()
}

interface NewPerson {
  name: string
  passwordHash: string
}

/**
 * The new person if a name was given, or undefined if the password opens the account. Everything is checked in the same order, with the
 * same errors, whether or not there is an account.
 */
async function checkCredentials(
  deps: Deps,
  { email, account }: { email: string; account: FoundUser | undefined },
  { name, password, deviceCookie, origin }: Acceptance,
): Promise<NewPerson | undefined> {
  if (password === undefined) throw badInput('/password', 'is required')
  const newPerson =
    name === undefined ? undefined : { name: checkPersonName(name), passwordHash: await hashPassword(deps, password) }
  if (newPerson && !account) return newPerson
  const deviceId = deps.knownDevices.recognize(deviceCookie, account)
  const by = { account: account?.email ?? email, address: origin?.address ?? null, deviceId }
  const verify = () => verifyPassword(password, account?.passwordHash ?? unmatchableHash)
  const { isRight } = await deps.throttle.attempt(by, verify)
  if (!account || !isRight) {
    throw badInput('/password', 'is not the password of an account with this address; enter it, or sign in and open the link again')
  }
  return undefined
}

async function joinAs(
  deps: Deps,
  invitation: InvitationRow,
  { account, origin }: { account: FoundUser; origin: Origin | undefined },
): Promise<string> {
  const { organizationId, email, role, id } = invitation
  await deps.db.transaction().execute(async (tx) => {
    if (!(await markInvitationAccepted(tx, { id, now: deps.clock.now() }))) throw alreadyUsed()
    if (await isMemberByEmail(tx, { organizationId, email })) return
    await addMember({ tx, clock: deps.clock }, { organizationId, userId: account.id, role })
    const joining = { organizationId, user: account, role, by: { invitationId: id }, origin }
    await recordJoining({ ...deps, tx }, joining)
  })
  return account.id
}

async function joinAsNewPerson(
  deps: Deps,
  invitation: InvitationRow,
  { name, passwordHash, origin }: NewPerson & { origin: Origin | undefined },
): Promise<string> {
  const { clock, random } = deps
  return deps.db.transaction().execute(async (tx) => {
    const { organizationId, email, role, id } = invitation
    if (!(await markInvitationAccepted(tx, { id, now: clock.now() }))) throw alreadyUsed()
    const user = await createUser({ tx, clock, random }, { email, name, passwordHash })
    await addMember({ tx, clock }, { organizationId, userId: user.id, role })
    await recordJoining({ ...deps, tx }, { organizationId, user, role, by: { invitationId: id }, origin })
    return user.id
  })
}
