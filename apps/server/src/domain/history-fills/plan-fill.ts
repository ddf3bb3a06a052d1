import type { ParameterDefinition } from '../../model/parameter.ts'
import { addDays } from '../parameters/calendar.ts'
import { dayOf } from '../parameters/date-range.ts'

/** The parameters whose past values a history can be filled with. A timestamp gets midnight UTC of the day. */
export const dateParametersOf = (parameters: readonly ParameterDefinition[]): string[] =>
  parameters.filter(({ type }) => type === 'date' || type === 'timestamp').map(({ name }) => name)

/** The last days before today, newest first, without those that are there already. */
export function daysToFill({ now, count, filled }: { now: Date; count: number; filled: ReadonlySet<string> }): string[] {
  const today = dayOf(now)
  return Array.from({ length: count }, (_, ago) => addDays(today, -ago - 1)!).filter((day) => !filled.has(day))
}
