import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findUserByEmail, type FoundUser } from '../../store/people/find-user-by-email.ts'
import { type InvitationRow, markInvitationAccepted } from '../../store/people/invitations-table.ts'
import { isMemberByEmail } from '../../store/people/memberships-table.ts'
import type { Role } from '../../model/people.ts'
import { recordJoining } from '../audit/record-joining.ts'
import { switchOrganization } from './account-sessions.ts'
import type { Caller, Origin } from '../../model/caller.ts'
import { badInput } from './check-text.ts'
import { findOpenInvitation, usedAlready } from './invitations.ts'
import type { KnownDevices } from './known-devices.ts'
import { addMember, checkPersonName, createUser } from './organizations.ts'
import { hashPassword, unmatchableHash, verifyPassword } from './passwords.ts'
import { type OpenedSession, startSession } from './sessions.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

interface Deps {
  db: Db
  clock: Clock
  random: Random
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
  /** Whoever is signed in where the link was opened. */
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
export async function acceptInvitation(deps: Deps, input: Acceptance): Promise<OpenedSession | undefined> {
  const invitation = await findOpenInvitation(deps, input)
  const { organizationId } = invitation
  const account = await findUserByEmail(deps.db, invitation.email)
  const isSignedIn = account !== undefined && input.signedIn?.caller.userId === account.id
  const newPerson = isSignedIn ? undefined : await checkCredentials(deps, { email: invitation.email, account }, input)
  const userId = account
    ? await joinAs(deps, invitation, { account, origin: input.origin })
    : await joinAsNewPerson(deps, invitation, { ...newPerson!, origin: input.origin })
  const { userAgent, origin } = input
  if (!isSignedIn) return startSession(deps, { userId, organizationId, userAgent, origin, method: 'invitation' })
  const { caller, token } = input.signedIn!
  await switchOrganization(deps, { ...caller, ...(origin && { origin }) }, { organizationId, token })
  return undefined
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
  if (password === undefined) throw badInput('/password', 'is needed')
  const newPerson =
    name === undefined ? undefined : { name: checkPersonName(name), passwordHash: await hashPassword(deps.random, password) }
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
    if (!(await markInvitationAccepted(tx, { id, now: deps.clock.now() }))) throw usedAlready()
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
    if (!(await markInvitationAccepted(tx, { id, now: clock.now() }))) throw usedAlready()
    const user = await createUser({ tx, clock, random }, { email, name, passwordHash })
    await addMember({ tx, clock }, { organizationId, userId: user.id, role })
    await recordJoining({ ...deps, tx }, { organizationId, user, role, by: { invitationId: id }, origin })
    return user.id
  })
}
