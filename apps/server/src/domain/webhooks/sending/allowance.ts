/**
 * An endpoint's *allowance* is how many requests to it a worker may have in flight. It starts small, grows with every quick
 * success, and is halved by every failure and every slow answer. So an endpoint that hangs soon occupies a single slot, and the
 * others are not affected.
 */
export const allowanceAtFirst = 8
export const allowanceMax = 32
const slowMs = 2_000

export function nextAllowance(allowance: number, attempt: { isSuccess: boolean; durationMs: number }): number {
  if (attempt.isSuccess && attempt.durationMs < slowMs) return Math.min(allowance + 1, allowanceMax)
  return Math.max(1, Math.floor(allowance / 2))
}
