import { type Check, failed, ok, warning } from '../check.ts'
import { inWords } from '../durations.ts'

/** Receivers of webhooks refuse what is five minutes off; leases and cursors bear less. */
const harmfulMs = 60_000

/** `aheadMs`: by how much the other clock is ahead of this machine's. */
export function judgeClockDifference(
  name: string,
  difference: { who: string; aheadMs: number; toleratedMs: number },
): Check {
  const { who, aheadMs, toleratedMs } = difference
  const offMs = Math.abs(aheadMs)
  if (offMs <= toleratedMs)
    return ok(name, `It agrees with this machine’s${offMs < 1000 ? '' : `, within ${inWords(offMs / 1000)}`}.`)
  const said = `The clock of ${who} is ${inWords(offMs / 1000)} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine’s.`
  const remedy = 'Set both by NTP (timedatectl set-ntp true).'
  return offMs > harmfulMs ? failed(name, said, remedy) : warning(name, said, remedy)
}
