import { missingTokens, takeToken, type TokenBucket } from '../token-bucket.ts'

/**
 * The pace of reports. Nobody needs a report to a thousand people to arrive within seconds, and requests are served by the same
 * processors. So the messages of a report are due one after the other, and a process sends no more than that of all reports together.
 *
 * - A message that waits for its turn is not due yet, so no worker holds a lease of it, and a report that is prepared in the meantime does
 *   not wait for all of a large one.
 * - The first few are due at once, as is a test or a report to one person.
 */
export const reportMessagesPerSecondDefault = 20

const atOnceMin = 5
const atOnceSeconds = 0.25

export const reportPaceOf = (perSecond: number): TokenBucket => ({
  burst: Math.max(atOnceMin, Math.floor(perSecond * atOnceSeconds)),
  regainMs: 1000 / perSecond,
})

/** How long after a report is prepared its message at this position is due; the first has position 0. */
export const dueInMs = ({ burst, regainMs }: TokenBucket, position: number): number => Math.max(0, position + 1 - burst) * regainMs

/** How many messages a process may send now, and how long until it may send one. */
export function allowedNow(pace: TokenBucket, fullAtMs: number | undefined, nowMs: number): { count: number; waitMs: number } {
  const count = pace.burst - missingTokens(pace, fullAtMs ?? nowMs, nowMs)
  return { count, waitMs: Math.ceil(takeToken(pace, fullAtMs, nowMs).waitMs) }
}
