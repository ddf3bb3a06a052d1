/** The wait that `Retry-After` asks for: a number of seconds or a date (RFC 9110). Null if there is none that can be read. */
export function readRetryAfter(header: string | null | undefined, now: Date): number | null {
  const given = header?.trim()
  if (!given) return null
  if (/^\d+(\.\d+)?$/.test(given)) return Math.ceil(Number(given) * 1000)
  const dateMs = Date.parse(given)
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - now.getTime())
}
