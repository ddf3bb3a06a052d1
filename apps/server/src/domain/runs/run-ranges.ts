import type { Run } from '../../model/run.ts'
import { type DateRange, dayOf, resolveDateRange } from '../parameters/date-range.ts'

/** The days of a run's date ranges, by parameter. A relative range is relative to the day the run was requested. */
export function rangesOf({ parameterTypes, parameterValues, runAt }: Pick<Run, 'parameterTypes' | 'parameterValues' | 'runAt'>) {
  const ranges: Record<string, DateRange> = {}
  for (const [name, type] of Object.entries(parameterTypes)) {
    const range = type === 'dateRange' ? resolveDateRange(String(parameterValues[name]), dayOf(runAt)) : undefined
    if (range) ranges[name] = range
  }
  return ranges
}
