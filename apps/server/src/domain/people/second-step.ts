import type { Origin } from '../../model/caller.ts'
import { findUser, type FoundUser } from '../../store/people/find-user-by-email.ts'
import { findSecondFactor } from '../../store/people/second-factors-table.ts'
import { recordForAccount } from '../audit/record-action.ts'
import { recordFailedSignIn } from '../audit/record-failed-sign-in.ts'
import { accountSubject } from './account-settings.ts'
import { badInput } from './check-text.ts'
import { type KnownDevices, passwordStamp } from './known-devices.ts'
import { type KeptSignIn, type PendingSignIn, readPendingSignIn, signInAgain, type SignInStep } from './pending-sign-in.ts'
import { type SecondFactorDeps, turnOnSecondFactor, wrongCode } from './second-factor.ts'
import { useSecondFactorCode } from './second-factor-codes.ts'
import { sendSecondFactorEmail } from './second-factor-emails.ts'
import { makeOffer, type SecondFactorOffer } from './second-factor-offers.ts'
import { type OpenedSession, type SessionDeps, startSession } from './sessions.ts'

/** The second step of a sign-in: a code, or setting up the second factor that the organization requires. */
type Deps = SecondFactorDeps & SessionDeps & { knownDevices: KnownDevices }

interface Visitor {
  /** The pending sign-in, as the browser keeps it. */
  sealed: string | undefined
  deviceCookie?: string | undefined
  userAgent?: string | undefined
  origin?: Origin | undefined
}

export async function readSecondStep(deps: Deps, visitor: Visitor): Promise<{ step: SignInStep; email: string }> {
  const { user, step } = await findPending(deps, visitor)
  return { step, email: user.email }
}

export async function enterCode(deps: Deps, visitor: Visitor, code: string): Promise<OpenedSession | KeptSignIn> {
  const { user, step, pending } = await findPending(deps, visitor)
  if (step !== 'code') throw signInAgain()
  const deviceId = deps.knownDevices.recognize(visitor.deviceCookie, user)
  let secondFactor: 'code' | 'recovery_code' | undefined
  await deps.throttle.attempt({ codeOf: user.id, deviceId }, async () => {
    secondFactor = await useSecondFactorCode(deps, { userId: user.id, code })
    return secondFactor !== undefined
  })
  if (secondFactor === undefined) {
    await recordFailedSignIn(deps, { user, origin: visitor.origin })
    throw badInput('/code', wrongCode)
  }
  if (secondFactor === 'recovery_code') await recordRecovery(deps, user, visitor.origin)
  return startSession(deps, { ...startOf(pending, visitor), secondFactor })
}

async function recordRecovery(deps: Deps, user: FoundUser, origin: Origin | undefined): Promise<void> {
  const action = 'second_factor.recovery_code_used'
  await deps.db.transaction().execute((tx) =>
    recordForAccount({ ...deps, tx }, { kind: 'person', origin }, { action, user: accountSubject(user) }),
  )
  sendSecondFactorEmail(deps, { to: user.email, change: action })
}

export async function offerAtSignIn(deps: Deps, visitor: Visitor): Promise<SecondFactorOffer> {
  const { user, step } = await findPending(deps, visitor)
  if (step !== 'set_up') throw signInAgain()
  return makeOffer(deps, user)
}

export async function setUpAtSignIn(
  deps: Deps,
  visitor: Visitor,
  given: { offer: string; code: string },
): Promise<{ opened: OpenedSession | KeptSignIn; recoveryCodes: string[] }> {
  const { user, step, pending } = await findPending(deps, visitor)
  if (step !== 'set_up') throw signInAgain()
  const recoveryCodes = await turnOnSecondFactor(deps, { ...given, userId: user.id, origin: visitor.origin })
  return { recoveryCodes, opened: await startSession(deps, { ...startOf(pending, visitor), secondFactor: 'set_up' }) }
}

const startOf = ({ userId, organizationId, method }: PendingSignIn, { userAgent, origin }: Visitor) => ({
  userId,
  organizationId,
  method,
  userAgent,
  origin,
})

/** The step depends on the account as it is now: the second factor may have been set up in another tab. */
async function findPending(
  deps: Deps,
  { sealed }: Visitor,
): Promise<{ pending: PendingSignIn; user: FoundUser; step: SignInStep }> {
  const pending = readPendingSignIn(deps, sealed)
  const user = await findUser(deps.db, pending.userId)
  if (!user || passwordStamp(user.passwordHash) !== pending.passwordStamp) throw signInAgain()
  const step = (await findSecondFactor(deps.db, user.id)) ? 'code' : 'set_up'
  return { pending, user, step }
}
