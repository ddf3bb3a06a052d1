import { addDays, weekdayOf } from '../domain/parameters/calendar.ts'

/** The days of the shop's stories, as `shop/2-calendar.sql` has them. */
export interface ShopCalendar {
  /** The first day with orders, a Monday. */
  openedOn: string
  /** The Aurora Sunrise Lamp is launched. */
  launchedOn: string
  /** Rotterdam can't ship in this week. */
  incident: { firstDay: string; lastDay: string }
  /** The day before which the Meridian Pocket Radio sells best. */
  radioUntil: string
  /** The last year that has ended. */
  year: number
}

export function shopCalendar(firstStartOn: string): ShopCalendar {
  const openedOn = daysLater(firstStartOn, -weekdayOf(firstStartOn) - 728)
  const weekStart = (week: number) => daysLater(openedOn, 7 * week)
  return {
    openedOn,
    launchedOn: weekStart(61),
    incident: { firstDay: weekStart(88), lastDay: daysLater(weekStart(88), 6) },
    radioUntil: weekStart(26),
    year: Number(daysLater(firstStartOn, 1).slice(0, 4)) - 1,
  }
}

/** The calendar ends in the year 9999, so the shop's days exist. */
const daysLater = (day: string, count: number): string => addDays(day, count)!

/** `March 2025`. */
export function monthOf(day: string): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(day))
}
