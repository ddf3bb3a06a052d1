import type { AlertMeasure, AlertTest } from '../../../model/alert.ts'

/** Names under which observations hold what tests ask for. Equal questions of several tests share one name. */
export const measureName = ({ column, aggregate = 'first' }: AlertMeasure): string =>
  column === undefined ? 'rows' : `${aggregate} ${column}`

export const keyName = (keyColumns: readonly string[]): string => JSON.stringify(keyColumns)

export type MeasuringTest = Extract<AlertTest, AlertMeasure & { kind: 'threshold' | 'change' | 'unusual' }>

export const isMeasuring = (test: AlertTest): test is MeasuringTest =>
  test.kind === 'threshold' || test.kind === 'change' || test.kind === 'unusual'

/** The measures of all tests, each once. */
export function measuresOf(tests: readonly AlertTest[]): Map<string, AlertMeasure> {
  return new Map(tests.filter(isMeasuring).map((test) => [measureName(test), test]))
}
