/** Dates in workbooks are numbers of days, told apart from others only by the format of their cell. */
const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57])

export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return builtInDates.has(id)
  const plain = code.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '')
  return /[ymdhs]/i.test(plain) && !/general/i.test(plain)
}

const dayMs = 86_400_000

/** The ISO form of a number of days: a date, a date with a time, or a time of day. Undefined if there is no such day. */
export function dateText(days: number, epoch: 1900 | 1904): string | undefined {
  const roundedMs = Math.round(days * 86_400) * 1000
  if (days < 0 || !Number.isFinite(roundedMs)) return undefined
  if (roundedMs < dayMs) return new Date(roundedMs).toISOString().slice(11, 19)
  // Excel counts a February 29, 1900, which did not exist.
  const startMs = epoch === 1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const date = new Date(startMs + roundedMs)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return undefined
  const [day, time] = date.toISOString().slice(0, 19).split('T')
  return time === '00:00:00' ? day! : `${day} ${time}`
}
