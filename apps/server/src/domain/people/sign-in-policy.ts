import type { OidcProvider } from '../../ports/oidc.ts'
import type { Caller } from '../../model/caller.ts'
import type { Tx } from '../../store/db.ts'
import { endSessionsWithoutSecondFactor, endSessionsWithoutSso, hasAdminWithIdentity } from '../../store/people/entry-policies.ts'
import { setSignInPolicy } from '../../store/people/organizations-table.ts'
import { findSecondFactor } from '../../store/people/second-factors-table.ts'
import { findSessionMethod } from '../../store/people/sessions-table.ts'
import { Refusal } from '../refusal.ts'
import { badInput } from './check-text.ts'
import { secretHash } from './secret-hash.ts'

interface Policy {
  secondFactorRequired: boolean
  ssoRequired: boolean
}

/**
 * How the members of the organization must sign in. A requirement takes effect at once: sessions that don't meet it end. Neither can be
 * turned on in a way that locks all admins out.
 */
export async function changeSignInPolicy(
  deps: { tx: Tx; oidc: Pick<OidcProvider, 'issuer'> | null },
  caller: Caller,
  { before, change, token }: { before: Policy; change: Partial<Policy>; token: string },
): Promise<void> {
  const { tx } = deps
  const { organizationId } = caller
  const { secondFactorRequired, ssoRequired } = change
  if (secondFactorRequired === undefined && ssoRequired === undefined) return
  if (secondFactorRequired && !before.secondFactorRequired) await requireOwnSecondFactor(tx, caller, token)
  if (ssoRequired && !before.ssoRequired) await requireSsoReady(deps, organizationId)
  await setSignInPolicy(tx, organizationId, { secondFactorRequired, ssoRequired })
  if (secondFactorRequired) await endSessionsWithoutSecondFactor(tx, organizationId)
  if (ssoRequired) await endSessionsWithoutSso(tx, organizationId)
}

async function requireOwnSecondFactor(tx: Tx, { userId }: Caller, token: string): Promise<void> {
  if (await findSecondFactor(tx, userId)) return
  if ((await findSessionMethod(tx, secretHash(token))) === 'oidc') return
  throw new Refusal('second_factor_required', 'Set up your own second factor in your account settings before you require it of others.')
}

async function requireSsoReady(
  { tx, oidc }: { tx: Tx; oidc: Pick<OidcProvider, 'issuer'> | null },
  organizationId: string,
): Promise<void> {
  if (!oidc) throw badInput('/ssoRequired', 'needs an identity provider; the operator sets one up with the OIDC_* variables')
  if (await hasAdminWithIdentity(tx, { organizationId, issuer: oidc.issuer })) return
  throw badInput('/ssoRequired', 'needs an admin who has signed in with the identity provider; sign in with it first')
}
