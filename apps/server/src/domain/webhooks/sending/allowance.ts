/**
 * An endpoint's *allowance*: how many requests to it may be in flight at a worker. It begins small, grows with every quick
 * success and is halved by every failure and every slow answer. So an endpoint that hangs soon holds one place and no more,
 * and the others never notice.
 */
export const allowanceAtFirst = 8
export const allowanceMax = 32
const slowMs = 2_000

export function nextAllowance(allowance: number, attempt: { isSuccess: boolean; durationMs: number }): number {
  if (attempt.isSuccess && attempt.durationMs < slowMs) return Math.min(allowance + 1, allowanceMax)
  return Math.max(1, Math.floor(allowance / 2))
}
