import { missingTokens, takeToken, type TokenBucket } from '../token-bucket.ts'

/**
 * How many wrong passwords are allowed, as a pure decision.
 *
 * - A *budget* is a token bucket of failures: it allows `burst` in a row and regains one every `regainMs`. The store keeps one time for
 *   each budget that isn't full: when it will be full again.
 * - A *known device* is a browser that has signed in to the account before, as its device cookie shows. Everyone else is a
 * *stranger*,
 *   even for an e-mail that has no account.
 *
 * Invariants:
 * - A known device uses only its own budget, so strangers cannot use it up. A device that has used up its budget is treated as a
 *   stranger.
 * - A stranger's attempt needs room in three budgets: of its network on this account, of the account, and of its network. There is
 * no
 *   budget that all strangers share.
 * - One network can use at most a third of an account's budget at once: slowing down the owner's new devices takes several
 * networks.
 * - A rejected attempt costs nothing, so retrying does not lengthen the wait. Every wait is at most one `regainMs`: a minute, or five for
 *   codes of the second factor on new devices.
 */
export const signInLimits = {
  /** A known device on its account. */
  device: { burst: 10, regainMs: 60_000 },
  /** A session whose person must enter the current password. */
  session: { burst: 10, regainMs: 60_000 },
  /** A known device that must enter a code of the second factor. */
  codeOnDevice: { burst: 10, regainMs: 60_000 },
  /** All strangers who know the password of one account. Three of a million codes are valid at a time, and they can try 288 a day. */
  code: { burst: 10, regainMs: 300_000 },
  /** Strangers from one network on one account. */
  networkOnAccount: { burst: 10, regainMs: 60_000 },
  /** All strangers on one account: against guessing from many networks. */
  account: { burst: 30, regainMs: 60_000 },
  /** Viewers from one network on one public link. */
  networkOnLink: { burst: 10, regainMs: 60_000 },
  /** All viewers of one public link. */
  link: { burst: 30, regainMs: 60_000 },
  /** Strangers from one network on all accounts: against trying one password on many accounts. */
  network: { burst: 100, regainMs: 2_000 },
} as const satisfies Record<string, TokenBucket>

export type SignInLimit = keyof typeof signInLimits

/** One budget that an attempt draws on. */
export interface Draw {
  limit: SignInLimit
  key: string
}

export interface Charge extends Draw {
  /** When the budget is full again after this attempt. */
  fullAt: Date
}

export type SignInDecision =
  /** `way`: which of the ways lets it through. */
  | { isAllowed: true; way: number; charges: Charge[] }
  | { isAllowed: false; limit: SignInLimit; waitMs: number }

/**
 * `ways` are the budgets that the attempt may use, the preferred way first; all budgets of a way must have room. If none has, the
 * result is the shortest wait.
 */
export function decideSignIn(options: { ways: Draw[][]; fullAt: ReadonlyMap<string, Date>; now: Date }): SignInDecision {
  const { ways, fullAt, now } = options
  const refusals: { limit: SignInLimit; waitMs: number }[] = []
  for (const [way, draws] of ways.entries()) {
    const judged = draws.map((draw) => judge(draw, fullAt.get(draw.key), now))
    const longest = judged.toSorted((a, b) => b.waitMs - a.waitMs)[0]!
    if (longest.waitMs === 0) return { isAllowed: true, way, charges: judged.map(({ charge }) => charge) }
    refusals.push({ limit: longest.charge.limit, waitMs: longest.waitMs })
  }
  return { isAllowed: false, ...refusals.toSorted((a, b) => a.waitMs - b.waitMs)[0]! }
}

function judge(draw: Draw, fullAt: Date | undefined, now: Date): { charge: Charge; waitMs: number } {
  const { fullAtMs, waitMs } = takeToken(signInLimits[draw.limit], fullAt?.getTime(), now.getTime())
  return { charge: { ...draw, fullAt: new Date(fullAtMs) }, waitMs }
}

/** How many failures a budget holds after a charge, less those regained since. */
export function failuresOf({ limit, fullAt }: Charge, now: Date): number {
  return missingTokens(signInLimits[limit], fullAt.getTime(), now.getTime())
}

/**
 * What an attempt that did not fail refunds, in milliseconds per budget. A right password also forgives earlier failures that were
 * the same person's typing errors: those of the device, the session, or this network on this account. Failures of others on the
 * account, and of the network on other accounts, remain.
 */
export function refundOf(
  charges: readonly Charge[],
  outcome: 'right' | 'not judged',
  now: Date,
): { key: string; backMs: number }[] {
  const own = charges.find(({ limit }) => limit !== 'account' && limit !== 'link' && limit !== 'network')
  const forgiven = outcome === 'right' && own ? failuresOf(own, now) : 1
  return charges.map(({ limit, key }) => ({
    key,
    backMs: (limit === 'network' ? 1 : forgiven) * signInLimits[limit].regainMs,
  }))
}

/** The owner of an account is notified after this many failures by strangers. */
export const noticeAfterFailures = 10
/** At most one notification in this time. */
export const noticeEveryMs = 24 * 3600_000
