import type { AlertObservation, AlertTest } from '../../../model/alert.ts'
import type { ResultMeasure } from '../../../store/automations/result-measures.ts'
import { keyName, measuresOf } from '../alerts/measure-names.ts'

/** What has to be known of a result to replay the tests, by the names under which it is stored. */
export function namesToKnow(tests: readonly AlertTest[]): string[] {
  const others = tests.flatMap((test) =>
    test.kind === 'stale' ? `newest ${test.column}` : test.kind === 'new_rows' ? `new ${keyName(test.keyColumns)}` : [],
  )
  // The number of rows is known without reading the result.
  return [...new Set([...measuresOf(tests).keys(), ...others])].filter((name) => name !== 'rows')
}

/** An observation as it is stored: one measure for each thing that is known. */
export function measuresOfObservation({ runId, at, figures, newestTimes, newRows, faults }: AlertObservation): ResultMeasure[] {
  const known = (measure: string, value: string | null, fault: string | null = null) => ({ runId, at, measure, value, fault })
  return [
    ...Object.entries(figures).map(([name, value]) => known(name, value)),
    ...Object.entries(newestTimes).map(([column, ms]) => known(`newest ${column}`, ms === null ? null : String(ms))),
    ...Object.entries(newRows).map(([key, rows]) => known(`new ${key}`, rows && String(rows.count))),
    ...Object.entries(faults).map(([name, fault]) => known(isKey(name) ? `new ${name}` : name, null, fault)),
  ]
}

/** The names of keys are lists of columns. */
const isKey = (name: string) => name.startsWith('[')

/** The reverse. Of new rows only their number is known. */
export function observationOf(
  result: { runId: string; at: Date; rowCount: number },
  tests: readonly AlertTest[],
  known: ReadonlyMap<string, ResultMeasure>,
): AlertObservation {
  const { runId, at, rowCount } = result
  const observation: AlertObservation = { runId, at, rowCount, figures: { rows: String(rowCount) }, newestTimes: {}, newRows: {}, faults: {} }
  const { figures, newestTimes, newRows, faults } = observation
  for (const name of measuresOf(tests).keys()) {
    const measure = known.get(name)
    if (measure) figures[name] = measure.value
    if (measure?.fault) faults[name] = measure.fault
  }
  for (const test of tests) {
    if (test.kind === 'stale') {
      const measure = known.get(`newest ${test.column}`)
      newestTimes[test.column] = measure?.value ? Number(measure.value) : null
      if (measure?.fault) faults[`newest ${test.column}`] = measure.fault
    }
    if (test.kind === 'new_rows') {
      const key = keyName(test.keyColumns)
      const measure = known.get(`new ${key}`)
      newRows[key] = measure?.value ? { count: Number(measure.value), fields: [], rows: [] } : null
      if (measure?.fault) faults[key] = measure.fault
    }
  }
  return observation
}
