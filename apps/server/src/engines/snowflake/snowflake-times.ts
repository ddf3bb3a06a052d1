/** Dates count days and times count seconds, with up to nine fractional digits. */

const dayMs = 86_400_000
/** JavaScript's dates end in the year 275760; Snowflake's in 9999. */
const maxSeconds = 8.64e12

export function dateOf(days: string): string {
  const ms = Number(days) * dayMs
  if (!/^-?\d+$/.test(days) || Math.abs(ms) > maxSeconds * 1000) return days
  return new Date(ms).toISOString().split('T')[0]!
}

/** `1767603600.123456000`, for a timestamp with a zone followed by the zone's offset, which does not change the moment. */
export function timestampOf(text: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d{1,9}))?(?: \d+)?$/.exec(text)
  if (!parts) return text
  const [, sign, whole, fraction = ''] = parts
  const count = BigInt(whole! + fraction.padEnd(9, '0')) * (sign === '-' ? -1n : 1n)
  const nanoseconds = ((count % billion) + billion) % billion
  const seconds = Number((count - nanoseconds) / billion)
  if (Math.abs(seconds) > maxSeconds) return text
  return new Date(seconds * 1000).toISOString().replace('.000Z', `.${fractionDigits(nanoseconds, 3)}Z`)
}

const billion = 1_000_000_000n

/** `32400.500000000` is `09:00:00.500`. */
export function timeOf(text: string): string {
  const parts = /^(\d{1,5})(?:\.(\d{1,9}))?$/.exec(text)
  if (!parts) return text
  const clock = new Date(Number(parts[1]) * 1000).toISOString().slice(11, 19)
  const digits = fractionDigits(BigInt((parts[2] ?? '').padEnd(9, '0')), 0)
  return digits === '' ? clock : `${clock}.${digits}`
}

/** In groups of three, as many as needed. */
function fractionDigits(nanoseconds: bigint, atLeast: number): string {
  const digits = String(nanoseconds).padStart(9, '0').replace(/(000)+$/, '')
  return digits.padEnd(atLeast, '0')
}
