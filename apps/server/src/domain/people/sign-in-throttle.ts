import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import {
  lockSignInBudgets,
  readSignInBudgets,
  refundSignInBudgets,
  setSignInBudgets,
} from '../../store/people/sign-in-budgets.ts'
import { Refusal } from '../refusal.ts'
import { makeHashQueue } from './hash-queue.ts'
import { type SignInAttempt, waysOf } from './sign-in-keys.ts'
import { type Charge, decideSignIn, type Draw, failuresOf, refundOf, type SignInLimit } from './sign-in-limits.ts'

/**
 * Limits how often passwords can be guessed, across all processes on one store; the limits are in `sign-in-limits.ts`.
 *
 * - An attempt is charged before its password is verified, in one transaction, and refunded if the password is right. However many
 *   guesses arrive together, at however many processes, no more are verified than the budgets allow.
 * - Attempts without room are rejected after a read, before they wait for a hash and without a write.
 */
export interface SignInThrottle {
  /** Runs `verify` when its turn comes, or throws `too_many_requests`. If `verify` throws, the attempt does not count. */
  attempt(by: SignInAttempt, verify: () => Promise<boolean>): Promise<AttemptOutcome>
}

export interface AttemptOutcome {
  isRight: boolean
  /** How many failures by strangers the account's budget holds now; 0 for a right password and for known devices. */
  strangerFailures: number
}

export function makeSignInThrottle(deps: { db: Db; clock: Clock }): SignInThrottle {
  const { db, clock } = deps
  // As many as can be served in half a minute on a slow machine.
  const strangers = makeHashQueue({ waitingMax: 200, waitingMaxOfKey: 30 })
  const knownDevices = makeHashQueue({ waitingMax: 1000, waitingMaxOfKey: 20 })

  /** Returns the way that is open, or throws. */
  async function check(ways: Draw[][]): Promise<number> {
    const keys = ways.flat().map(({ key }) => key)
    const decision = decideSignIn({ ways, fullAt: await readSignInBudgets(db, keys), now: clock.now() })
    if (!decision.isAllowed) throw tooMany(decision)
    return decision.way
  }

  function charge(draws: Draw[]): Promise<Charge[]> {
    return db.transaction().execute(async (tx) => {
      const now = clock.now()
      const fullAt = await lockSignInBudgets(tx, draws.map(({ key }) => key), now)
      const decision = decideSignIn({ ways: [draws], fullAt, now })
      if (!decision.isAllowed) throw tooMany(decision)
      await setSignInBudgets(tx, decision.charges)
      return decision.charges
    })
  }

  async function chargeAndVerify(draws: Draw[], verify: () => Promise<boolean>): Promise<AttemptOutcome> {
    const charges = await charge(draws)
    let isRight: boolean | undefined
    try {
      isRight = await verify()
    } finally {
      if (isRight !== false) {
        await refundSignInBudgets(db, refundOf(charges, isRight ? 'right' : 'not judged', clock.now()))
      }
    }
    const account = isRight ? undefined : charges.find(({ limit }) => limit === 'account')
    return { isRight, strangerFailures: account ? failuresOf(account, clock.now()) : 0 }
  }

  return {
    async attempt(by, verify) {
      const ways = waysOf(by)
      const draws = ways[await check(ways)]!
      const work = () => chargeAndVerify(draws, verify)
      const network = draws.find(({ limit }) => limit === 'network')
      if (network) return strangers.run(network.key, work)
      return knownDevices.run(queueKeyOf(by), work)
    },
  }
}

function queueKeyOf(by: SignInAttempt): string {
  if ('sessionId' in by) return by.sessionId
  if ('codeOf' in by) return by.codeOf
  return 'account' in by ? by.account : by.linkId
}

const reasons: Record<SignInLimit, string> = {
  device: 'Too many wrong passwords.',
  session: 'Too many wrong passwords.',
  codeOnDevice: 'Too many wrong codes.',
  code: 'Too many wrong codes from new devices. Devices that have signed in before are not affected.',
  networkOnAccount: 'Too many failed sign-ins with this e-mail.',
  account: 'Too many failed sign-ins with this e-mail from new devices. Devices that have signed in before are not affected.',
  networkOnLink: 'Too many wrong passwords.',
  link: 'Too many people have entered a wrong password for this link.',
  network: 'Too many failed sign-ins from your network.',
}

function tooMany({ limit, waitMs }: { limit: SignInLimit; waitMs: number }): Refusal {
  const seconds = Math.ceil(waitMs / 1000)
  const message = `${reasons[limit]} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
  return new Refusal('too_many_requests', message, undefined, { retryAfterMs: waitMs })
}
