import type { Schedule } from '../../api/automations.ts'

/** A schedule as the form holds it: one of a few simple choices, or the cron expression itself. */
export interface ScheduleDraft {
  every: 'hour' | 'day' | 'week' | 'cron'
  /** HH:MM, for a day and a week. */
  time: string
  /** 0 is Sunday, for a week. */
  weekday: number
  /** What was written, or what the simple choice means. */
  cron: string
  timeZone: string
}

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

export const newSchedule = (timeZone: string): ScheduleDraft => ({
  every: 'week',
  time: '07:00',
  weekday: 1,
  cron: '0 7 * * 1',
  timeZone,
})

export function cronOf({ every, time, weekday, cron }: Omit<ScheduleDraft, 'timeZone'>): string {
  const [hour, minute] = time.split(':').map(Number)
  if (every === 'hour') return '0 * * * *'
  if (every === 'day') return `${minute ?? 0} ${hour ?? 0} * * *`
  if (every === 'week') return `${minute ?? 0} ${hour ?? 0} * * ${weekday}`
  return cron.trim()
}

/** The simple choice that a schedule is, where it is one. */
export function readSchedule({ cron, timeZone }: Schedule): ScheduleDraft {
  const base = { ...newSchedule(timeZone), cron }
  if (/^0 \* \* \* \*$/.test(cron)) return { ...base, every: 'hour' }
  const [, minute, hour, weekday] = /^([0-5]?\d) ([01]?\d|2[0-3]) \* \* ([0-7]|\*)$/.exec(cron) ?? []
  if (minute === undefined || hour === undefined) return { ...base, every: 'cron' }
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  return weekday === '*' ? { ...base, every: 'day', time } : { ...base, every: 'week', time, weekday: Number(weekday) % 7 }
}

export const scheduleOf = (draft: ScheduleDraft): Schedule => ({ cron: cronOf(draft), timeZone: draft.timeZone.trim() })
