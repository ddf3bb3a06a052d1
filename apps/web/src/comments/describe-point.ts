import type { DataPoint } from '../api/comments.ts'

/** A value as it is shown, without its run. */
export type PointAsShown = Pick<DataPoint, 'keys' | 'column' | 'value'>

/** What identifies a value: “Mar 2026, Germany · Revenue”. */
export function nameOfPoint({ keys, column }: PointAsShown): string {
  const place = keys.map(({ value }) => value).filter((value) => value !== '').join(', ')
  return [place, column].filter((part) => part !== '').join(' · ')
}

/** The day on which a value was current, with the year unless it is this one: “3 Mar”. */
export function dayOf(at: Date, now: Date, locale?: string): string {
  const isThisYear = at.getFullYear() === now.getFullYear()
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) }).format(at)
}
