import { type Check, failed, ok, skipped } from '../check.ts'
import { inWords } from '../durations.ts'
import type { Claim } from './examine-headers.ts'

/** How far the send time is from the receiver's, in which direction, and what that looks like. */
export function judgeClock(options: { claims: Claim[]; now: Date; toleranceSeconds: number }): Check {
  const { now, toleranceSeconds } = options
  const timestamp = options.claims[0]?.timestamp
  if (timestamp === undefined) return skipped('clock', 'The request names no send time.')
  const sentSeconds = Number(/^\d{13}$/.test(timestamp) ? timestamp.slice(0, 10) : timestamp)
  if (!Number.isInteger(sentSeconds) || sentSeconds <= 0 || sentSeconds > 8.64e12) {
    return skipped('clock', 'The send time cannot be read.')
  }
  const ageSeconds = Math.floor(now.getTime() / 1000) - sentSeconds
  const sent = new Date(sentSeconds * 1000).toISOString().replace('.000Z', 'Z')
  const said = `Sent at ${sent}, ${inWords(Math.abs(ageSeconds))} ${ageSeconds < 0 ? 'after' : 'before'} ${isoSeconds(now)}`
  if (Math.abs(ageSeconds) <= toleranceSeconds) return ok('clock', `${said}; ${inWords(toleranceSeconds)} are allowed.`)
  const zone = zoneOf(Math.abs(ageSeconds))
  const remedies = [
    ...(zone ? [`That is ${zone} almost exactly: a clock that was set to local time as if it were UTC.`] : []),
    ageSeconds > 0
      ? 'If requests fail so as they arrive, this clock is ahead, or they wait in a queue before they are verified.'
      : 'Only a clock that is behind sees requests from the future: set this machine’s clock (NTP).',
    `To judge it as of its arrival: --at ${sent}`,
  ]
  return failed('clock', `${said}; only ${inWords(toleranceSeconds)} are allowed.`, remedies.join('\n'))
}

/** A difference of whole hours, as between time zones, give or take a minute. */
function zoneOf(seconds: number): string | undefined {
  const hours = Math.round(seconds / 3600)
  if (hours < 1 || hours > 14 || Math.abs(seconds - hours * 3600) > 60) return undefined
  return hours === 1 ? 'one hour' : `${hours} hours`
}

const isoSeconds = (time: Date) => time.toISOString().replace(/\.\d{3}Z$/, 'Z')
