import type { Clock } from '../../ports/clock.ts'
import type { SignInMethod } from '../../model/people.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'

/**
 * A *pending sign-in* is a person whose password was right and whose second factor is missing. The browser keeps it, encrypted, in a
 * cookie: it is no session, so it opens nothing but the second step, in any version of the service.
 */
export interface PendingSignIn {
  userId: string
  method: SignInMethod
  /** The organization to enter, if it is not the one joined first. */
  organizationId?: string | undefined
  /** A new password ends the sign-ins that were begun with the old one. */
  passwordStamp: string
}

/** What the person has to do: enter a code, or set up a second factor. */
export type SignInStep = 'code' | 'set_up'

export interface KeptSignIn {
  step: SignInStep
  sealed: string
  expiresAt: Date
}

const lifetimeMs = 10 * 60_000
const context = 'pending sign-in'

export function keepSignIn(deps: { clock: Clock; sealer: Sealer }, step: SignInStep, pending: PendingSignIn): KeptSignIn {
  const expiresAt = new Date(deps.clock.now().getTime() + lifetimeMs)
  const sealed = deps.sealer.seal(JSON.stringify({ ...pending, expiresAtMs: expiresAt.getTime() }), context)
  return { step, sealed: Buffer.from(sealed).toString('base64url'), expiresAt }
}

/** Throws if it was not issued here or has expired. */
export function readPendingSignIn(deps: { clock: Clock; sealer: Sealer }, sealed: string | undefined): PendingSignIn {
  try {
    const opened = deps.sealer.open(Buffer.from(sealed ?? '', 'base64url'), context)
    const { expiresAtMs, ...pending } = JSON.parse(opened) as PendingSignIn & { expiresAtMs: number }
    if (expiresAtMs > deps.clock.now().getTime()) return pending
  } catch {
    // Not issued here.
  }
  throw signInAgain()
}

export const signInAgain = () => new Refusal('unauthenticated', 'Your sign-in took too long or is no longer valid. Sign in again.')
