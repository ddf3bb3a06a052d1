import type { Clock } from '../../ports/clock.ts'
import { Refusal } from '../refusal.ts'

/**
 * Bounds how often passwords can be guessed. A *failure* is a wrong password, or an e-mail nobody has, in the last 15
 * minutes. After 10 failures of one e-mail, or 500 of all, sign-ins are refused unseen until the oldest has passed.
 *
 * - Sign-ins take turns, so a failure counts before the next guess is looked at, however many arrive together; and a flood
 *   of them occupies one thread of Node's pool, not all four.
 * - Refused sign-ins are not failures: whoever keeps trying does not lengthen the wait, and there are never more than 500
 *   failures to remember.
 * - It is one process's memory. With several processes the limits hold for each.
 */
export interface SignInThrottle {
  /** Runs `verify` when its turn comes, and counts a failure when it answers false. */
  attempt(email: string, verify: () => Promise<boolean>): Promise<boolean>
}

const windowMs = 15 * 60_000
const maxFailuresOfEmail = 10
const maxFailures = 500

export function makeSignInThrottle({ clock }: { clock: Clock }): SignInThrottle {
  let failures: { email: string; atMs: number }[] = []
  let lastTurn: Promise<unknown> = Promise.resolve()

  async function turn(email: string, verify: () => Promise<boolean>) {
    const nowMs = clock.monotonicMs()
    failures = failures.filter(({ atMs }) => nowMs - atMs < windowMs)
    const ofEmail = failures.filter((failure) => failure.email === email)
    if (ofEmail.length >= maxFailuresOfEmail) {
      throw tooMany('Too many failed sign-ins with this e-mail.', ofEmail[0]!.atMs + windowMs - nowMs)
    }
    if (failures.length >= maxFailures) {
      throw tooMany('Too many failed sign-ins.', failures[0]!.atMs + windowMs - nowMs)
    }
    const isRight = await verify()
    if (isRight) failures = failures.filter((failure) => failure.email !== email)
    else failures.push({ email, atMs: clock.monotonicMs() })
    return isRight
  }

  return {
    attempt(email, verify) {
      // No e-mail is longer than 254 characters; what is, need not fill the memory.
      const known = email.trim().toLowerCase().slice(0, 255)
      const answer = lastTurn.then(() => turn(known, verify))
      lastTurn = answer.catch(() => {})
      return answer
    },
  }
}

function tooMany(what: string, waitMs: number): Refusal {
  const minutes = Math.ceil(waitMs / 60_000)
  return new Refusal('too_many_requests', `${what} Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`)
}
