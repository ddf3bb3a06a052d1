/**
 * Loaded before the service (`node --import`), this sets its wall clock wrong by CLOCK_AHEAD_MS milliseconds, as on a machine whose
 * clock is ahead (or, with a negative number, behind). The monotonic clock and timers run as before.
 */
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)
const RealDate = Date

class SkewedDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(RealDate.now() + aheadMs)
    else super(...(given as [number]))
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
}

globalThis.Date = SkewedDate as DateConstructor
