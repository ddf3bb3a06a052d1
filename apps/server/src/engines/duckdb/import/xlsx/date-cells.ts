/** Dates in workbooks are numbers of days, told apart from others only by the format of their cell. */
const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 47, 50, 57])
const builtInDuration = 46

/** How a cell shows its number of days: as a moment, or as hours that may be more than 24. Null for other numbers. */
export type DayFormat = 'moment' | 'duration' | null

export function dayFormatOf(id: number, code: string | undefined): DayFormat {
  if (code === undefined) return builtInDates.has(id) ? 'moment' : id === builtInDuration ? 'duration' : null
  // Texts, and characters that only leave or fill space.
  const shown = code.replace(/"[^"]*"|[\\_*]./g, '')
  if (/\[(h+|m+|s+)\]/i.test(shown)) return 'duration'
  const plain = shown.replace(/\[[^\]]*\]/g, '')
  return /[ymdhs]/i.test(plain) && !/general/i.test(plain) ? 'moment' : null
}

/** Hours, minutes and seconds. Undefined for what no spreadsheet program shows. */
export function durationText(days: number): string | undefined {
  const ms = Math.round(days * dayMs)
  if (days < 0 || !Number.isSafeInteger(ms)) return undefined
  const rest = new Date(ms % 3_600_000).toISOString().slice(14, 23).replace('.000', '')
  return `${String(Math.floor(ms / 3_600_000)).padStart(2, '0')}:${rest}`
}

const dayMs = 86_400_000

/** The ISO form of a number of days: a date, a date with a time, or a time of day. Undefined if there is no such day. */
export function dateText(days: number, epoch: 1900 | 1904): string | undefined {
  const roundedMs = Math.round(days * dayMs)
  if (days < 0 || !Number.isFinite(roundedMs)) return undefined
  if (roundedMs < dayMs) return new Date(roundedMs).toISOString().slice(11, 23).replace('.000', '')
  // Excel counts a February 29, 1900, which did not exist.
  const startMs = epoch === 1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const date = new Date(startMs + roundedMs)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return undefined
  const [day, time] = date.toISOString().slice(0, 23).replace('.000', '').split('T')
  return time === '00:00:00' ? day! : `${day} ${time}`
}
