import type { Clock } from '../../ports/clock.ts'
import { type Random, randomText } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { claimRecoveryCode, claimStep, findSecondFactor } from '../../store/people/second-factors-table.ts'
import type { Sealer } from '../sealing.ts'
import { secretHash } from './secret-hash.ts'
import { matchingStep } from './totp.ts'

const recoveryCodeCount = 10

/** Each has 16 characters without look-alikes (79 random bits), in groups for easier typing. */
export function newRecoveryCodes(random: Random): string[] {
  return Array.from({ length: recoveryCodeCount }, () =>
    randomText(random, '23456789abcdefghjkmnpqrstuvwxyz', 16).replaceAll(/(.{4})(?=.)/g, '$1-'),
  )
}

/** Upper case, spaces and missing hyphens don't matter. */
export const recoveryCodeHash = (code: string): Buffer => secretHash(code.toLowerCase().replaceAll(/[\s-]/g, ''))

/** For the key at rest. */
export const keyContext = (userId: string) => `second factor of ${userId}`

/** Which kind of code it is, or undefined if it is wrong. A code that was right is used up, whatever process it is sent to. */
export async function useSecondFactorCode(
  deps: { db: Db; clock: Clock; sealer: Sealer },
  { userId, code }: { userId: string; code: string },
): Promise<'code' | 'recovery_code' | undefined> {
  const now = deps.clock.now()
  const given = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(given)) {
    return (await claimRecoveryCode(deps.db, { userId, hash: recoveryCodeHash(given), now })) ? 'recovery_code' : undefined
  }
  const factor = await findSecondFactor(deps.db, userId)
  if (!factor) return undefined
  const key = Buffer.from(deps.sealer.open(factor.sealedKey, keyContext(userId)), 'base64url')
  const step = matchingStep({ code: given, now }, { key, lastUsedStep: factor.lastUsedStep })
  return step !== undefined && (await claimStep(deps.db, { userId, step })) ? 'code' : undefined
}
