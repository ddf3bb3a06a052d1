/** The days of the shop's stories, as `shop/2-calendar.sql` has them. */
export interface ShopCalendar {
  /** The first day with orders, a Monday. */
  openedOn: string
  /** The Aurora Sunrise Lamp is launched. */
  launchedOn: string
  /** Rotterdam can't ship in this week. */
  incident: { firstDay: string; lastDay: string }
  /** The last year that has ended. */
  year: number
}

export function shopCalendar(firstStartOn: string): ShopCalendar {
  const weekday = (new Date(firstStartOn).getUTCDay() + 6) % 7
  const openedOn = addDays(firstStartOn, -weekday - 728)
  const weekStart = (week: number) => addDays(openedOn, 7 * week)
  return {
    openedOn,
    launchedOn: weekStart(61),
    incident: { firstDay: weekStart(88), lastDay: addDays(weekStart(88), 6) },
    year: Number(addDays(firstStartOn, 1).slice(0, 4)) - 1,
  }
}

export function addDays(day: string, count: number): string {
  return dayOf(new Date(Date.parse(day) + count * 86_400_000))
}

/** The day in UTC, such as `2025-12-31`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** `March 2025`. */
export function monthOf(day: string): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(day))
}
