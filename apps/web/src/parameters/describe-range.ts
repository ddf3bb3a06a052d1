import { type DateRange, isRelativeRange, resolveDateRange } from '@querypost/server/date-ranges'
import type { ParameterDefinition } from '../api/references.ts'
import type { Run } from '../api/runs.ts'
import { labelOf } from './label-of.ts'

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** The days of a range: “Oct 17 – Nov 15, 2026”. */
export const describeDays = ({ start, end }: DateRange) => days.formatRange(new Date(start), new Date(end))

/** A range as people say it: “Last 30 days”, or its days. */
export function describeRange(text: string): string {
  if (text.trim() === '') return ''
  if (isRelativeRange(text)) return text.trim()[0]!.toUpperCase() + text.trim().slice(1).toLowerCase()
  const range = resolveDateRange(text, '2000-01-01')
  return range ? describeDays(range) : text
}

/** The days that a run's relative ranges meant: “Period: Oct 17 – Nov 15, 2026”. Empty if it has none. */
export function describeRunRanges(run: Pick<Run, 'parameterValues' | 'runAt'>, parameters: ParameterDefinition[]): string {
  const described = parameters.flatMap((parameter) => {
    const value = run.parameterValues[parameter.name]
    if (parameter.type !== 'dateRange' || typeof value !== 'string' || !isRelativeRange(value)) return []
    const range = resolveDateRange(value, run.runAt.slice(0, 10))
    return range ? [`${labelOf(parameter)}: ${describeDays(range)}`] : []
  })
  return described.join(' · ')
}
