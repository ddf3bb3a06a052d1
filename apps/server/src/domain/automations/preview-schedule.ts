import type { Clock } from '../../ports/clock.ts'
import type { Schedule } from '../../model/automation.ts'
import { checkSchedule } from './check-schedule.ts'
import { nextDueAt } from './schedule.ts'

const previewCount = 5

/** The next due times of a schedule, shown while it is being chosen. Throws for an invalid schedule, as saving it would. */
export function previewSchedule(deps: { clock: Clock }, input: Schedule): Date[] {
  const now = deps.clock.now()
  const schedule = checkSchedule(input, { path: '', now })
  const times: Date[] = []
  for (let at = nextDueAt(schedule, now); at && times.length < previewCount; at = nextDueAt(schedule, at)) times.push(at)
  return times
}
