import { putBigInteger, putInteger } from './fixed-column.ts'

/** Converts dates and timestamps in the usual format (`column-shapes.ts`), whose fields have fixed positions. */
const digitsAt = (text: string, from: number, count: number): number => {
  let value = 0
  for (let at = from; at < from + count; at++) value = value * 10 + text.charCodeAt(at) - 0x30
  return value
}

/** Days since 1970-01-01. Years start in March here, so that the leap day comes last and no table of months is needed. */
export function daysOf(text: string): number {
  const month = digitsAt(text, 5, 2)
  const year = digitsAt(text, 0, 4) - (month <= 2 ? 1 : 0)
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + digitsAt(text, 8, 2) - 1
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)
  return year * 365 + leapDays + dayOfYear - daysTo1970
}

/** Days from March 1 of the year 0 to 1970-01-01. */
const daysTo1970 = 719_468

const secondsOf = (text: string) =>
  daysOf(text) * 86_400 + digitsAt(text, 11, 2) * 3600 + digitsAt(text, 14, 2) * 60 + digitsAt(text, 17, 2)

/** The fraction of a second, scaled to the given number of digits. */
function fractionOf(text: string, digits: number): number {
  const written = text.length - fractionFrom - 1
  return digitsAt(text, fractionFrom, written) * 10 ** (digits - written)
}

/** `2026-01-05T09:00:00.` */
const fractionFrom = 20

export function putMicroseconds(words: Int32Array, at: number, text: string): void {
  const microseconds = secondsOf(text) * 1_000_000 + fractionOf(text, 6)
  if (Number.isSafeInteger(microseconds)) putInteger(words, at, microseconds, 2)
  else putBigInteger(words, at, BigInt(secondsOf(text)) * 1_000_000n + BigInt(fractionOf(text, 6)), 2)
}

export const nanosecondsOf = (text: string): bigint =>
  BigInt(secondsOf(text)) * 1_000_000_000n + BigInt(fractionOf(text, 9))
