import { badInput } from '../people/check-text.ts'
import type { Refusal } from '../refusal.ts'
import type { Schedule } from '../../model/automation.ts'
import { nextDueAt } from './schedule.ts'
import { isTimeZone } from './check-time-zone.ts'

/** Returns the schedule with its cron fields separated by single spaces. `path` is its place in the request, such as `/schedule`. */
export function checkSchedule(schedule: Schedule, options: { path: string; now: Date }): Schedule {
  const { timeZone } = schedule
  if (!isTimeZone(timeZone)) {
    const message = `must be the name of a time zone, such as Europe/Berlin; ${quote(timeZone)} is not one`
    throw badInput(`${options.path}/timeZone`, message)
  }
  const path = `${options.path}/cron`
  const fields = schedule.cron.trim().split(/\s+/)
  if (fields.length !== 5) {
    const names = 'minute, hour, day of month, month, day of week'
    const count = fields[0] === '' ? 0 : fields.length
    throw badInput(path, `must have five fields (${names}), such as 0 9 * * 1; it has ${count}`)
  }
  const cron = fields.join(' ')
  const checked = { cron, timeZone }
  if (!isDueSometime(checked, { path, now: options.now })) {
    throw badInput(path, `never comes due: no date matches ${quote(cron)}`)
  }
  return checked
}

function isDueSometime(schedule: Schedule, { path, now }: { path: string; now: Date }): boolean {
  // croner would read text with a colon as a date.
  if (!/^[\w*?,/#+ -]+$/.test(schedule.cron)) throw unreadable(path, 'it contains characters that no field allows')
  try {
    return nextDueAt(schedule, now) !== null
  } catch (error) {
    if (error instanceof Error) {
      throw unreadable(path, error.message.replace(/^CronPattern: /, ''))
    }
    throw error
  }
}

function unreadable(path: string, why: string): Refusal {
  return badInput(path, `is not a cron expression: ${why.replace(/\.$/, '')}`)
}

const quote = (text: string) => JSON.stringify(text.slice(0, 100))
