/**
 * An endpoint's *allowance* is how many requests to it a worker may have in flight. It starts small, grows with every quick
 * success, and is halved by every failure and every slow answer. So an endpoint that hangs soon occupies a single slot, and the
 * others are not affected.
 */
export const allowanceAtFirst = 8
export const allowanceMax = 32
export const slowMs = 2_000

export function nextAllowance(allowance: number, attempt: { isSuccess: boolean; durationMs: number }): number {
  if (attempt.isSuccess && attempt.durationMs < slowMs) return Math.min(allowance + 1, allowanceMax)
  return Math.max(1, Math.floor(allowance / 2))
}

/**
 * A worker's slots are shared by all endpoints. An endpoint is *proven* while it answers quickly and successfully. The fuller the worker,
 * the fewer slots an unproven endpoint gets, and the last ones are for proven endpoints only. So a thousand endpoints that hang at once
 * don't keep a healthy one waiting.
 */
export interface Slots {
  inFlight: number
  inFlightMax: number
  /** How many are only for proven endpoints. Without them, all endpoints are treated alike. */
  reserved: number
}

/** How many requests an unproven endpoint may have in flight. */
export function unprovenMax({ inFlight, inFlightMax, reserved }: Slots): number {
  if (reserved === 0 || inFlight < inFlightMax / 16) return allowanceMax
  return inFlight < inFlightMax - reserved ? 1 : 0
}

/** How many deliveries to claim at most: a claim that includes unproven endpoints leaves the reserved slots free. */
export function claimableCount(slots: Slots, count: number): number {
  const unreservedCount = slots.inFlightMax - slots.reserved - slots.inFlight
  return unreservedCount > 0 ? Math.min(count, unreservedCount) : count
}
