import type { Clock } from '../../ports/clock.ts'
import type { Mail } from '../../ports/mail.ts'
import type { Random } from '../../ports/random.ts'
import type { Caller, Origin } from '../../model/caller.ts'
import type { Db, Tx } from '../../store/db.ts'
import { readEntryPolicies } from '../../store/people/entry-policies.ts'
import { findUser, type FoundUser } from '../../store/people/find-user-by-email.ts'
import {
  countUnusedRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  insertSecondFactor,
  replaceRecoveryCodes,
} from '../../store/people/second-factors-table.ts'
import { deleteSessionsOf } from '../../store/people/sessions-table.ts'
import { recordForAccount } from '../audit/record-action.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'
import { sessionId } from './account-sessions.ts'
import { accountSubject } from './account-settings.ts'
import { badInput } from './check-text.ts'
import { verifyPassword } from './passwords.ts'
import type { PendingJobs } from './pending-jobs.ts'
import { keyContext, newRecoveryCodes, recoveryCodeHash, useSecondFactorCode } from './second-factor-codes.ts'
import { acceptOffer, makeOffer, type SecondFactorOffer } from './second-factor-offers.ts'
import { sendSecondFactorEmail } from './second-factor-emails.ts'
import { secretHash } from './secret-hash.ts'
import { secondFactorRequired } from './sign-in-refusals.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

/**
 * The *second factor* of an account: codes of an authenticator app (TOTP), asked for after the password. *Recovery codes* take its place,
 * each once, if the app is lost. Sign-in with the identity provider and API keys don't use it.
 *
 * Setting it up, turning it off and replacing the recovery codes require the password, so that an unattended browser is not enough.
 */
export interface SecondFactorDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
  throttle: SignInThrottle
  mail: Mail | null
  pendingJobs: PendingJobs
}

export interface SecondFactor {
  isOn: boolean
  /** Since when; null if it is off. */
  since: Date | null
  recoveryCodesLeft: number
  /** Whether an organization of the person requires it. */
  isRequired: boolean
}

export async function getSecondFactor(deps: { db: Db }, { userId }: Caller): Promise<SecondFactor> {
  const factor = await findSecondFactor(deps.db, userId)
  return {
    isOn: factor !== undefined,
    since: factor?.createdAt ?? null,
    recoveryCodesLeft: await countUnusedRecoveryCodes(deps.db, userId),
    isRequired: await isRequiredFor(deps.db, userId),
  }
}

export async function offerSecondFactor(
  deps: SecondFactorDeps,
  caller: Caller,
  given: { password: string; token: string },
): Promise<SecondFactorOffer> {
  const user = await userWithPassword(deps.db, caller)
  if (await findSecondFactor(deps.db, user.id)) throw alreadyOn()
  await checkSecrets(deps, user, given)
  return makeOffer(deps, user)
}

/** Signs the person out everywhere else, like a new password. Returns the recovery codes, which are shown only now. */
export async function turnOnSecondFactor(
  deps: SecondFactorDeps,
  given: { userId: string; offer: string; code: string; token?: string; origin?: Origin | undefined },
): Promise<string[]> {
  const { userId, origin } = given
  const { key, step } = acceptOffer(deps, given)
  const sealedKey = deps.sealer.seal(Buffer.from(key).toString('base64url'), keyContext(userId))
  const exceptTokenHash = given.token === undefined ? undefined : secretHash(given.token)
  return change(deps, { userId, origin, action: 'second_factor.turned_on' }, async (tx) => {
    const isNew = await insertSecondFactor(tx, { userId, sealedKey, lastUsedStep: step, createdAt: deps.clock.now() })
    if (!isNew) throw alreadyOn()
    await deleteSessionsOf(tx, { userId, ...(exceptTokenHash && { exceptTokenHash }) })
    return storeNewCodes({ ...deps, tx }, userId)
  })
}

export async function renewRecoveryCodes(
  deps: SecondFactorDeps,
  caller: Caller,
  given: { password: string; code: string; token: string },
): Promise<string[]> {
  const { userId, origin } = caller
  await checkSecrets(deps, await userWithFactor(deps.db, caller), given)
  return change(deps, { userId, origin, action: 'second_factor.recovery_codes_replaced' }, (tx) => storeNewCodes({ ...deps, tx }, userId))
}

export async function turnOffSecondFactor(
  deps: SecondFactorDeps,
  caller: Caller,
  given: { password: string; code: string; token: string },
): Promise<void> {
  const { userId, origin } = caller
  const user = await userWithFactor(deps.db, caller)
  if (await isRequiredFor(deps.db, userId)) throw secondFactorRequired()
  await checkSecrets(deps, user, given)
  await change(deps, { userId, origin, action: 'second_factor.turned_off' }, (tx) => deleteSecondFactor(tx, userId))
}

/** Guesses are limited per session, as for the password alone. */
async function checkSecrets(
  deps: SecondFactorDeps,
  user: FoundUser,
  given: { password: string; code?: string; token: string },
): Promise<void> {
  const by = { sessionId: sessionId(secretHash(given.token)) }
  let problem = badInput('/password', 'is not your password')
  const { isRight } = await deps.throttle.attempt(by, async () => {
    if (!(await verifyPassword(given.password, user.passwordHash!))) return false
    problem = badInput('/code', wrongCode)
    return given.code === undefined || (await useSecondFactorCode(deps, { userId: user.id, code: given.code })) !== undefined
  })
  if (!isRight) throw problem
}

export const wrongCode = 'is wrong or was already used; enter the code that the app shows now, or a recovery code'

/** Changes the factor, records the change and notifies the person. */
async function change<Result>(
  deps: SecondFactorDeps,
  what: { userId: string; origin: Origin | undefined; action: 'second_factor.turned_on' | 'second_factor.turned_off' | 'second_factor.recovery_codes_replaced' },
  act: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const { userId, origin, action } = what
  const { user, result } = await deps.db.transaction().execute(async (tx) => {
    const result = await act(tx)
    const user = (await findUser(tx, userId))!
    await recordForAccount({ ...deps, tx }, { kind: 'person', origin }, { action, user: accountSubject(user) })
    return { user, result }
  })
  sendSecondFactorEmail(deps, { to: user.email, change: action })
  return result
}

async function storeNewCodes(deps: { tx: Tx; random: Random }, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes(deps.random)
  await replaceRecoveryCodes(deps.tx, { userId, hashes: codes.map(recoveryCodeHash) })
  return codes
}

async function isRequiredFor(db: Db, userId: string): Promise<boolean> {
  const policies = await readEntryPolicies(db, userId)
  return policies.some(({ secondFactorRequired }) => secondFactorRequired)
}

async function userWithPassword(db: Db, { userId }: Caller): Promise<FoundUser> {
  const user = (await findUser(db, userId))!
  if (user.passwordHash !== null) return user
  throw new Refusal('forbidden', 'Your account has no password, so there is nothing to add a second factor to.')
}

async function userWithFactor(db: Db, caller: Caller): Promise<FoundUser> {
  const user = await userWithPassword(db, caller)
  if (await findSecondFactor(db, user.id)) return user
  throw new Refusal('forbidden', 'Your account has no second factor. Set one up first.')
}

const alreadyOn = () => new Refusal('forbidden', 'Your account already has a second factor. Turn it off first.')
