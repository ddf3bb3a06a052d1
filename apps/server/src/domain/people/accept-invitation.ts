import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findUserByEmail, type FoundUser } from '../../store/people/find-user-by-email.ts'
import { type InvitationRow, markInvitationAccepted } from '../../store/people/invitations-table.ts'
import { isMemberByEmail } from '../../store/people/memberships-table.ts'
import type { Role } from '../../model/people.ts'
import { recordJoining } from '../audit/record-joining.ts'
import { Refusal } from '../refusal.ts'
import { switchOrganization } from './account-sessions.ts'
import type { Caller, Origin } from '../../model/caller.ts'
import { badInput } from './check-text.ts'
import { findOpenInvitation, alreadyUsed } from './invitations.ts'
import type { KnownDevices } from './known-devices.ts'
import { addMember, checkPersonName, createUser } from './organizations.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
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
  /** Whether the address has an account: then the person signs in instead of choosing a password. */
  hasAccount: boolean
}

export async function readInvitation(deps: { db: Db; clock: Clock }, given: { token: string }): Promise<ReadInvitation> {
  const { organizationName, email, role, invitedBy, expiresAt } = await findOpenInvitation(deps, given)
  const hasAccount = (await findUserByEmail(deps.db, email)) !== undefined
  return { organizationName, email, role, invitedByName: invitedBy.name, expiresAt, hasAccount }
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
 * An invitation is bound to its address: the account that joins is the one with the invited address, whoever opened the link. A new
 * person chooses a name and a password; someone with an account proves that it is theirs by being signed in or by entering the
 * password. Returns the new session, or undefined if the existing session continues in the new organization.
 */
export async function acceptInvitation(deps: Deps, input: Acceptance): Promise<OpenedSession | undefined> {
  const invitation = await findOpenInvitation(deps, input)
  const { organizationId } = invitation
  const account = await findUserByEmail(deps.db, invitation.email)
  const isSignedIn = account !== undefined && input.signedIn?.caller.userId === account.id
  if (account && !isSignedIn) await proveAccount(deps, account, input)
  const userId = account
    ? await joinAs(deps, invitation, { account, origin: input.origin })
    : await joinAsNewPerson(deps, invitation, input)
  const { userAgent, origin } = input
  if (!isSignedIn) return startSession(deps, { userId, organizationId, userAgent, origin, method: 'invitation' })
  const { caller, token } = input.signedIn!
  await switchOrganization(deps, { ...caller, ...(origin && { origin }) }, { organizationId, token })
  return undefined
}

async function proveAccount(deps: Deps, account: FoundUser, input: Acceptance): Promise<void> {
  const { email, passwordHash } = account
  const { password } = input
  if (passwordHash === null) {
    throw new Refusal('forbidden', `${email} has an account without a password. Sign in with it, then open the link again.`)
  }
  if (password === undefined) throw badInput('/password', 'is required: this address has an account')
  const deviceId = deps.knownDevices.recognize(input.deviceCookie, account)
  const by = { account: email, address: input.origin?.address ?? null, deviceId }
  const { isRight } = await deps.throttle.attempt(by, () => verifyPassword(password, passwordHash))
  if (!isRight) {
    throw badInput('/password', `is not the password of ${email}`)
  }
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

async function joinAsNewPerson(deps: Deps, invitation: InvitationRow, input: Acceptance): Promise<string> {
  const { clock, random } = deps
  if (input.name === undefined) throw badInput('/name', 'is required')
  if (input.password === undefined) throw badInput('/password', 'is required')
  const name = checkPersonName(input.name)
  const passwordHash = await hashPassword(random, input.password)
  return deps.db.transaction().execute(async (tx) => {
    const { organizationId, email, role, id } = invitation
    if (!(await markInvitationAccepted(tx, { id, now: clock.now() }))) throw alreadyUsed()
    const user = await createUser({ tx, clock, random }, { email, name, passwordHash })
    await addMember({ tx, clock }, { organizationId, userId: user.id, role })
    const { origin } = input
    await recordJoining({ ...deps, tx }, { organizationId, user, role, by: { invitationId: id }, origin })
    return user.id
  })
}
