/**
 * Dates and times as text in the Gregorian calendar. Does not use a time zone database or JavaScript's `Date`, which has no
 * microseconds and accepts February 31.
 */
const datePattern = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/
const timestampPattern =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,12}))?)?(?: ?([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?))?)?$/

interface Day {
  year: number
  month: number
  day: number
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function exists({ year, month, day }: Day): boolean {
  return year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

function dayAfter({ year, month, day }: Day): Day {
  if (day < daysInMonth(year, month)) return { year, month, day: day + 1 }
  return month < 12 ? { year, month: month + 1, day: 1 } : { year: year + 1, month: 1, day: 1 }
}

function dayBefore({ year, month, day }: Day): Day {
  if (day > 1) return { year, month, day: day - 1 }
  return month > 1
    ? { year, month: month - 1, day: daysInMonth(year, month - 1) }
    : { year: year - 1, month: 12, day: 31 }
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

function formatDay({ year, month, day }: Day): string {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

/** The date itself, or undefined if there is no such day in the years 0001 to 9999. */
export function canonicalDate(text: string): string | undefined {
  const match = datePattern.exec(text)
  if (match === null) return undefined
  const day = { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) }
  return exists(day) ? formatDay(day) : undefined
}

/** The date so many days later, or undefined if it is not in the years 0001 to 9999. */
export function addDays(date: string, count: number): string | undefined {
  return dateOfDayNumber(dayNumber(date) + count)
}

/** The same day of the month so many months later, or that month's last day if it is shorter. */
export function addMonths(date: string, count: number): string | undefined {
  const { year, month, day } = partsOf(date)
  const months = year * 12 + month - 1 + count
  const [newYear, newMonth] = [Math.floor(months / 12), (months % 12) + 1]
  if (newYear < 1 || newYear > 9999) return undefined
  return formatDay({ year: newYear, month: newMonth, day: Math.min(day, daysInMonth(newYear, newMonth)) })
}

/** How many days `end` is after `start`. */
export function daysBetween(start: string, end: string): number {
  return dayNumber(end) - dayNumber(start)
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(date: string): number {
  // Day 1, 0001-01-01, is a Monday.
  return (dayNumber(date) - 1) % 7
}

function partsOf(date: string): Day {
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8, 10)) }
}

function daysBeforeYear(year: number): number {
  const earlier = year - 1
  return earlier * 365 + Math.floor(earlier / 4) - Math.floor(earlier / 100) + Math.floor(earlier / 400)
}

/** Counts from 1 for 0001-01-01. */
function dayNumber(date: string): number {
  const { year, month, day } = partsOf(date)
  let number = daysBeforeYear(year) + day
  for (let earlier = 1; earlier < month; earlier++) number += daysInMonth(year, earlier)
  return number
}

function dateOfDayNumber(number: number): string | undefined {
  if (number < 1) return undefined
  // The average length of a year misses the year by one at most.
  let year = Math.floor((number - 1) / 365.2425) + 1
  if (daysBeforeYear(year) >= number) year--
  else if (daysBeforeYear(year + 1) < number) year++
  let day = number - daysBeforeYear(year)
  let month = 1
  while (month < 12 && day > daysInMonth(year, month)) day -= daysInMonth(year, month++)
  const found = { year, month, day }
  return exists(found) ? formatDay(found) : undefined
}

/** The same moment in UTC, with as many fractional digits as needed, or undefined. */
export function canonicalTimestamp(text: string): string | undefined {
  const match = timestampPattern.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match
  const local = { year: Number(year), month: Number(month), day: Number(day) }
  const shortFraction = fraction.replace(/0+$/, '')
  const offsetMinutes = zoneOffsetMinutes(zone)
  if (!exists(local) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (shortFraction.length > 6 || offsetMinutes === undefined) return undefined
  const minuteOfDay = Number(hour) * 60 + Number(minute) - offsetMinutes
  // An offset is less than a day, so UTC is at most one day away.
  const utc = minuteOfDay < 0 ? dayBefore(local) : minuteOfDay >= 1440 ? dayAfter(local) : local
  if (!exists(utc)) return undefined
  const utcMinute = (minuteOfDay + 1440) % 1440
  const time = `${pad(Math.floor(utcMinute / 60), 2)}:${pad(utcMinute % 60, 2)}:${pad(Number(second), 2)}`
  return `${formatDay(utc)}T${time}${shortFraction === '' ? '' : `.${shortFraction}`}Z`
}

function zoneOffsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || '0')
  if (hours > 23 || minutes > 59) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
