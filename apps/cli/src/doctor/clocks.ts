import { type Check, failed, ok, warning } from '../checks.ts'
import { formatDuration } from '../durations.ts'

/** Receivers reject webhooks that are five minutes off; leases and cursors tolerate less. */
const harmfulMs = 60_000

/** `aheadMs`: how far the other clock is ahead of this machine's. */
export function judgeClockDifference(
  name: string,
  difference: { owner: string; aheadMs: number; toleratedMs: number },
): Check {
  const { owner, aheadMs, toleratedMs } = difference
  const offMs = Math.abs(aheadMs)
  if (offMs <= toleratedMs)
    return ok(name, `Agrees with this machine’s clock${offMs < 1000 ? '' : ` within ${formatDuration(offMs / 1000)}`}.`)
  const message = `The clock of ${owner} is ${formatDuration(offMs / 1000)} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine’s.`
  const remedy = 'Synchronize both clocks with NTP (timedatectl set-ntp true).'
  return offMs > harmfulMs ? failed(name, message, remedy) : warning(name, message, remedy)
}
