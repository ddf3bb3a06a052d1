import { type Check, failed, ok, skipped } from '../checks.ts'
import { formatDuration } from '../durations.ts'
import type { Claim } from './examine-headers.ts'

/** Checks how far the send time is off, in which direction, and what may cause it. */
export function judgeClock(options: { claims: Claim[]; now: Date; toleranceSeconds: number }): Check {
  const { now, toleranceSeconds } = options
  const timestamp = options.claims[0]?.timestamp
  if (timestamp === undefined) return skipped('clock', 'The request has no send time.')
  const sentSeconds = Number(/^\d{13}$/.test(timestamp) ? timestamp.slice(0, 10) : timestamp)
  if (!Number.isInteger(sentSeconds) || sentSeconds <= 0 || sentSeconds > 8.64e12) {
    return skipped('clock', 'The send time is unreadable.')
  }
  const ageSeconds = Math.floor(now.getTime() / 1000) - sentSeconds
  const sent = new Date(sentSeconds * 1000).toISOString().replace('.000Z', 'Z')
  const facts = `Sent at ${sent}, ${formatDuration(Math.abs(ageSeconds))} ${ageSeconds < 0 ? 'after' : 'before'} ${isoSeconds(now)}`
  if (Math.abs(ageSeconds) <= toleranceSeconds) return ok('clock', `${facts}; ${formatDuration(toleranceSeconds)} are allowed.`)
  const zone = findZoneDifference(Math.abs(ageSeconds))
  const remedies = [
    ...(zone ? [`That is almost exactly ${zone}: a clock was probably set to local time instead of UTC.`] : []),
    ageSeconds > 0
      ? 'If requests fail like this on arrival, this clock is ahead, or they wait in a queue before they are verified.'
      : 'This machine’s clock is behind. Synchronize it (NTP).',
    `To verify it as of its arrival, use --at ${sent}`,
  ]
  return failed('clock', `${facts}; only ${formatDuration(toleranceSeconds)} are allowed.`, remedies.join('\n'))
}

/** A difference of whole hours, within a minute, as between time zones. */
function findZoneDifference(seconds: number): string | undefined {
  const hours = Math.round(seconds / 3600)
  if (hours < 1 || hours > 14 || Math.abs(seconds - hours * 3600) > 60) return undefined
  return hours === 1 ? 'one hour' : `${hours} hours`
}

const isoSeconds = (time: Date) => time.toISOString().replace(/\.\d{3}Z$/, 'Z')
