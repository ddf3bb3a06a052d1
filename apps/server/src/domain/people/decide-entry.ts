import type { SignInMethod } from '../../model/people.ts'
import type { EntryPolicy } from '../../store/people/entry-policies.ts'

/**
 * Whether a person who has been identified may enter an organization, as a pure decision.
 *
 * - Someone who has a *second factor* always needs it with a password. The identity provider has its own, so it isn't asked for there.
 * - An organization that requires *single sign-on* admits nobody by password, except admins with a second factor: they can still enter
 *   if the provider fails. Without a configured provider the requirement has no effect, so that the operator can let people in.
 * - An organization that requires a second factor admits nobody by password before they have set one up.
 */
export type Entry =
  | { kind: 'open'; organizationId: string }
  /** A code of the second factor is missing. */
  | { kind: 'code' }
  /** The person has to set up a second factor. */
  | { kind: 'set_up' }
  | { kind: 'sso' }
  /** The person is not a member of any organization. */
  | { kind: 'none' }

export interface Identified {
  /** Null for sessions of earlier versions. */
  method: SignInMethod | null
  hasSecondFactor: boolean
  isCodeVerified: boolean
  /** Whether the operator has configured a provider. */
  isSsoAvailable: boolean
}

/** Enters the first of these organizations that admits the person. */
export function decideEntry(policies: EntryPolicy[], person: Identified): Entry {
  if (policies.length === 0) return { kind: 'none' }
  const isByProvider = person.method === 'oidc'
  const chosen = policies.find(
    ({ role, ssoRequired }) =>
      isByProvider || !ssoRequired || !person.isSsoAvailable || (role === 'admin' && person.hasSecondFactor),
  )
  if (!chosen) return { kind: 'sso' }
  if (isByProvider) return { kind: 'open', organizationId: chosen.organizationId }
  if (person.hasSecondFactor && !person.isCodeVerified) return { kind: 'code' }
  if (chosen.secondFactorRequired && !person.hasSecondFactor) return { kind: 'set_up' }
  return { kind: 'open', organizationId: chosen.organizationId }
}
