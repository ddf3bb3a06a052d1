import type { Schedule } from '../../api/automations.ts'

/** A schedule as the form holds it: one of a few simple choices, or a cron expression. Values of unselected choices are kept. */
export interface ScheduleDraft {
  every: 'hour' | 'day' | 'weekdays' | 'week' | 'month' | 'cron'
  /** Minutes past the hour, for `hour`. */
  minute: number
  /** HH:MM, for `day`, `weekdays`, `week` and `month`. */
  time: string
  /** For `week`: at least one day, ascending; 0 is Sunday. */
  days: number[]
  /** For `month`. */
  dayOfMonth: number | 'last'
  /** The expression as typed, or the equivalent of the simple choice. */
  cron: string
  timeZone: string
}

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
/** The days of the week in display order. */
export const weekFromMonday = [1, 2, 3, 4, 5, 6, 0]

export const newSchedule = (timeZone: string): ScheduleDraft => ({
  every: 'week',
  minute: 0,
  time: '08:00',
  days: [1],
  dayOfMonth: 1,
  cron: '0 8 * * 1',
  timeZone,
})

export function cronOf(draft: Omit<ScheduleDraft, 'timeZone'>): string {
  const [hour = 0, minute = 0] = draft.time.split(':').map(Number)
  const at = `${minute} ${hour}`
  switch (draft.every) {
    case 'hour':
      return `${draft.minute} * * * *`
    case 'day':
      return `${at} * * *`
    case 'weekdays':
      return `${at} * * 1-5`
    case 'week':
      return `${at} * * ${draft.days.join(',')}`
    case 'month':
      return `${at} ${draft.dayOfMonth === 'last' ? 'L' : draft.dayOfMonth} * *`
    case 'cron':
      return draft.cron.trim()
  }
}

const hourly = /^([0-5]?\d) \* \* \* \*$/
const onDays = /^([0-5]?\d) ([01]?\d|2[0-3]) (\*|L|[1-9]|[12]\d|3[01]) \* (\*|1-5|[0-7](?:,[0-7])*)$/

/** Reads a schedule as a simple choice where possible. */
export function readSchedule({ cron, timeZone }: Schedule): ScheduleDraft {
  const base = { ...newSchedule(timeZone), cron }
  const past = hourly.exec(cron)?.[1]
  if (past !== undefined) return { ...base, every: 'hour', minute: Number(past) }
  const [, minute, hour, dayOfMonth, days] = onDays.exec(cron) ?? []
  if (minute === undefined || hour === undefined || days === undefined) return { ...base, every: 'cron' }
  const dated = { ...base, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` }
  if (dayOfMonth !== '*') {
    // With both a date and a weekday, cron runs on either, which no simple choice can express.
    if (days !== '*') return { ...base, every: 'cron' }
    return { ...dated, every: 'month', dayOfMonth: dayOfMonth === 'L' ? 'last' : Number(dayOfMonth) }
  }
  if (days === '*') return { ...dated, every: 'day' }
  if (days === '1-5') return { ...dated, every: 'weekdays' }
  return { ...dated, every: 'week', days: inOrder(days.split(',').map((day) => Number(day) % 7)) }
}

export const inOrder = (days: number[]) => [...new Set(days)].sort((one, other) => one - other)

export const scheduleOf = (draft: ScheduleDraft): Schedule => ({ cron: cronOf(draft), timeZone: draft.timeZone.trim() })
