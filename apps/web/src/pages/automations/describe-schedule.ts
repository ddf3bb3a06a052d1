import type { Schedule } from '../../api/automations.ts'
import { readSchedule, weekdays, weekFromMonday } from './schedule-draft.ts'

/** A schedule in words. */
export function describeSchedule(schedule: Schedule): string {
  const { every, minute, time, days, dayOfMonth } = readSchedule(schedule)
  const at = `at ${time} (${schedule.timeZone})`
  switch (every) {
    case 'hour':
      return minute === 0 ? 'Every hour' : `Every hour, ${minute} ${minute === 1 ? 'minute' : 'minutes'} past`
    case 'day':
      return `Every day ${at}`
    case 'weekdays':
      return `Every weekday ${at}`
    case 'week':
      return `Every ${joined(weekFromMonday.filter((day) => days.includes(day)).map((day) => weekdays[day]!))} ${at}`
    case 'month':
      return `On the ${dayOfMonth === 'last' ? 'last day' : ordinal(dayOfMonth)} of every month ${at}`
    case 'cron':
      return `Cron schedule ${schedule.cron} (${schedule.timeZone})`
  }
}

const joined = (words: string[]) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`)

export function ordinal(number: number): string {
  const ending = number % 100 >= 11 && number % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${ending}`
}
