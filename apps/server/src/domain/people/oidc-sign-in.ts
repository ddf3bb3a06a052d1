import type { Clock } from '../../ports/clock.ts'
import type { OidcPerson, OidcProvider } from '../../ports/oidc.ts'
import type { Random } from '../../ports/random.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findUserByEmail } from '../../store/people/find-user-by-email.ts'
import { acceptInvitationsOf } from '../../store/people/invitations-table.ts'
import {
  bindIdentity,
  findFirstOrganization,
  findUserByIdentity,
  hasIdentity,
} from '../../store/people/oidc-identities.ts'
import { readOrganizationsOf } from '../../store/people/users-table.ts'
import { recordJoining } from '../audit/record-joining.ts'
import type { Origin } from '../../model/caller.ts'
import { applyProviderAccess } from './provider-access.ts'
import { applyProviderRole } from './provider-roles.ts'
import { addMember, createUser } from './organizations.ts'
import type { KeptSignIn } from './pending-sign-in.ts'
import { type OpenedSession, type SessionDeps, startSession } from './sessions.ts'

/**
 * Sign-in through the operator's OIDC provider.
 *
 * - An *identity* is the provider's issuer and subject. Once bound to a person it always belongs to that person, even if the e-mail
 *   changes.
 * - An identity seen for the first time is bound by its e-mail, which the provider must have verified: to the account with that
 *   address, else to a new account if the address is invited or in an allowed domain.
 * - An address that passes to someone else does not hand over the account: an account bound to another subject of the same provider
 *   is rejected.
 * - An allowed domain admits new people only. Someone who was removed from an organization needs an invitation to return.
 */
export type OidcFault = 'email_not_verified' | 'not_invited' | 'address_taken'

type Deps = { db: Db; clock: Clock; random: Random }

export async function signInByOidc(
  deps: SessionDeps,
  provider: Pick<OidcProvider, 'issuer' | 'allowedDomains'>,
  input: { person: OidcPerson; userAgent?: string | undefined; origin?: Origin | undefined },
): Promise<OpenedSession | KeptSignIn | { fault: OidcFault }> {
  const { person, userAgent, origin } = input
  const found = await deps.db.transaction().execute((tx) => findOrMakeUser({ ...deps, tx, origin }, provider, person))
  if ('fault' in found) return found
  if (person.isAdmin !== null) await applyProviderRole(deps, { userId: found.userId, isAdmin: person.isAdmin, origin })
  await applyProviderAccess(deps, { userId: found.userId, person, origin })
  return startSession(deps, { userId: found.userId, userAgent, origin, method: 'oidc' })
}

async function findOrMakeUser(
  deps: Deps & { tx: Tx; origin: Origin | undefined },
  provider: Pick<OidcProvider, 'issuer' | 'allowedDomains'>,
  person: OidcPerson,
): Promise<{ userId: string } | { fault: OidcFault }> {
  const { tx } = deps
  const { issuer } = provider
  const { subject } = person
  const now = deps.clock.now()
  const email = person.isEmailVerified ? person.email?.trim() : undefined
  const known = await findUserByIdentity(tx, { issuer, subject })
  if (known !== undefined) return joinWhereInvited(deps, { userId: known, email })

  if (!email) return { fault: 'email_not_verified' }
  const account = await findUserByEmail(tx, email)
  if (account) {
    if (await hasIdentity(tx, { issuer, userId: account.id })) return { fault: 'address_taken' }
    await bindIdentity(tx, { issuer, subject, userId: account.id, now })
    return joinWhereInvited(deps, { userId: account.id, email })
  }

  const joins = await joinsOfNewPerson(tx, { email, allowedDomains: provider.allowedDomains, now })
  if (joins.length === 0) return { fault: 'not_invited' }
  const name = nameOf(person.name ?? email.split('@')[0]!)
  const user = await createUser(deps, { email, name, passwordHash: null })
  await bindIdentity(tx, { issuer, subject, userId: user.id, now })
  for (const { by, ...join } of joins) {
    await addMember(deps, { ...join, userId: user.id })
    await recordJoining(deps, { ...join, user, by, origin: deps.origin })
  }
  return { userId: user.id }
}

/** The provider's name, changed where the store would reject it. */
const nameOf = (given: string) => Array.from(given.toWellFormed().replaceAll(/\p{Cc}/gu, ' ').trim()).slice(0, 100).join('')

async function joinsOfNewPerson(
  tx: Tx,
  options: { email: string; allowedDomains: readonly string[]; now: Date },
): Promise<{ organizationId: string; role: 'admin' | 'member'; by: { invitationId: string } | 'domain' }[]> {
  const invited = await acceptInvitationsOf(tx, options)
  if (invited.length > 0) {
    return invited.map(({ organizationId, role, invitationId }) => ({ organizationId, role, by: { invitationId } }))
  }
  const domain = options.email.slice(options.email.lastIndexOf('@') + 1).toLowerCase()
  const organizationId = options.allowedDomains.includes(domain) ? await findFirstOrganization(tx) : undefined
  return organizationId === undefined ? [] : [{ organizationId, role: 'member', by: 'domain' }]
}

/** Someone without an organization joins those that invite the address; everyone else decides for themselves. */
async function joinWhereInvited(
  deps: Deps & { tx: Tx; origin: Origin | undefined },
  { userId, email }: { userId: string; email: string | undefined },
): Promise<{ userId: string } | { fault: OidcFault }> {
  if ((await readOrganizationsOf(deps.tx, userId)).length > 0) return { userId }
  const invited = email ? await acceptInvitationsOf(deps.tx, { email, now: deps.clock.now() }) : []
  for (const { invitationId, ...join } of invited) {
    await addMember(deps, { ...join, userId })
    const user = { id: userId, email: email! }
    await recordJoining(deps, { ...join, user, by: { invitationId }, origin: deps.origin })
  }
  return invited.length > 0 ? { userId } : { fault: 'not_invited' }
}
