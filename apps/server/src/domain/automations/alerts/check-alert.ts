import {
  type Aggregate,
  type AlertComparison,
  type AlertCondition,
  alertLimits,
  type AlertTest,
  type ChangeDirection,
  type ChangeUnit,
  type ComparedPeriod,
  type MuteWindow,
  type Severity,
} from '../../../model/alert.ts'
import { badInput } from '../../people/check-text.ts'
import { isTimeZone } from '../check-time-zone.ts'

/** As given in a request: which fields are required depends on the kind. */
export interface AlertTestInput {
  kind: AlertTest['kind']
  severity?: Severity
  forRuns?: number
  column?: string
  aggregate?: Aggregate
  comparison?: AlertComparison
  number?: number
  resolveAt?: number
  against?: ComparedPeriod
  direction?: ChangeDirection
  by?: number
  unit?: ChangeUnit
  keyColumns?: string[]
  hours?: number
  deviations?: number
  results?: number
}

const columnMaxCharacters = 200

/** Which fields each kind has, besides its kind, severity and number of runs. */
const fieldsOf: Record<AlertTest['kind'], readonly (keyof AlertTestInput)[]> = {
  threshold: ['column', 'aggregate', 'comparison', 'number', 'resolveAt'],
  change: ['column', 'aggregate', 'against', 'direction', 'by', 'unit'],
  new_rows: ['keyColumns'],
  no_rows: [],
  stale: ['column', 'hours'],
  unusual: ['column', 'aggregate', 'deviations', 'results'],
}

/** Fields are always in the same order, so that equal alerts are stored identically. */
export function checkAlert(input: { reference: string; tests?: AlertTestInput[]; muteWindows?: MuteWindow[] }): AlertCondition {
  const { reference, tests = [], muteWindows = [] } = input
  if (tests.length === 0 || tests.length > alertLimits.tests) {
    throw badInput('/condition/tests', `must have 1 to ${alertLimits.tests} tests; it has ${tests.length}`)
  }
  if (muteWindows.length > alertLimits.muteWindows) {
    throw badInput('/condition/muteWindows', `must have at most ${alertLimits.muteWindows} windows; it has ${muteWindows.length}`)
  }
  return {
    reference,
    kind: 'alert',
    tests: tests.map((test, at) => checkTest(test, `/condition/tests/${at}`)),
    muteWindows: muteWindows.map((window, at) => checkWindow(window, `/condition/muteWindows/${at}`)),
  }
}

function checkTest(input: AlertTestInput, path: string): AlertTest {
  const { kind, severity = 'warning', forRuns = 1 } = input
  const known = fieldsOf[kind]
  for (const name of Object.keys(input) as (keyof AlertTestInput)[]) {
    if (name === 'kind' || name === 'severity' || (name === 'forRuns' && kind !== 'new_rows') || known.includes(name)) continue
    throw badInput(`${path}/${name}`, `is not allowed for a test of kind ${kind}; remove it`)
  }
  checkWhole(forRuns, { path: `${path}/forRuns`, min: 1, max: alertLimits.forRuns })
  const base = { severity, ...(forRuns > 1 && { forRuns }) }
  const required = <Name extends keyof AlertTestInput>(name: Name): NonNullable<AlertTestInput[Name]> => {
    const value = input[name]
    if (value === undefined || value === null) throw badInput(`${path}/${name}`, `is required for a test of kind ${kind}`)
    return value
  }
  const measure = () => measureOf(input, path)
  switch (kind) {
    case 'no_rows':
      return { ...base, kind }
    case 'new_rows':
      return { ...base, kind, keyColumns: checkKey(required('keyColumns'), `${path}/keyColumns`) }
    case 'stale':
      return { ...base, kind, column: checkColumn(required('column'), path), hours: checkPositive(required('hours'), `${path}/hours`, alertLimits.staleHours) }
    case 'threshold':
      return { ...base, kind, ...measure(), comparison: required('comparison'), number: required('number'), ...resolveAtOf(input, path) }
    case 'change':
      return {
        ...base,
        kind,
        ...measure(),
        against: input.against ?? 'previous',
        direction: input.direction ?? 'either',
        by: checkPositive(required('by'), `${path}/by`),
        unit: input.unit ?? 'percent',
      }
    case 'unusual': {
      const results = input.results ?? 30
      checkWhole(results, { path: `${path}/results`, min: alertLimits.unusualResultsMin, max: alertLimits.unusualResults })
      return { ...base, kind, ...measure(), deviations: checkPositive(input.deviations ?? 3, `${path}/deviations`, 100), results }
    }
  }
}

function measureOf({ column, aggregate }: AlertTestInput, path: string): { column?: string; aggregate?: Aggregate } {
  if (column !== undefined) return { column: checkColumn(column, path), aggregate: aggregate ?? 'first' }
  if (aggregate !== undefined) throw badInput(`${path}/aggregate`, 'needs a column')
  return {}
}

/** The value has to go further back than where it fired. */
function resolveAtOf({ comparison, number, resolveAt }: AlertTestInput, path: string): { resolveAt?: number } {
  if (resolveAt === undefined) return {}
  const isAbove = comparison!.startsWith('>')
  if (isAbove ? resolveAt <= number! : resolveAt >= number!) return { resolveAt }
  throw badInput(`${path}/resolveAt`, `must be at ${isAbove ? 'most' : 'least'} ${number}, where the test fires`)
}

function checkColumn(column: string, path: string): string {
  const count = Array.from(column).length
  if (count >= 1 && count <= columnMaxCharacters) return column
  throw badInput(`${path}/column`, `must have 1 to ${columnMaxCharacters} characters; it has ${count}`)
}

function checkKey(columns: string[], path: string): string[] {
  if (columns.length < 1 || columns.length > alertLimits.keyColumns) {
    throw badInput(path, `must name 1 to ${alertLimits.keyColumns} columns; it names ${columns.length}`)
  }
  return columns.map((column, at) => {
    if (columns.indexOf(column) < at) throw badInput(`${path}/${at}`, `repeats ${JSON.stringify(column)}`)
    const count = Array.from(column).length
    if (count < 1 || count > columnMaxCharacters) throw badInput(`${path}/${at}`, `must have 1 to ${columnMaxCharacters} characters; it has ${count}`)
    return column
  })
}

function checkPositive(number: number, path: string, max = Infinity): number {
  if (number > 0 && number <= max) return number
  throw badInput(path, max === Infinity ? 'must be more than 0' : `must be more than 0 and at most ${max}`)
}

function checkWhole(number: number, { path, min, max }: { path: string; min: number; max: number }): void {
  if (!Number.isInteger(number) || number < min || number > max) throw badInput(path, `must be a whole number from ${min} to ${max}`)
}

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/

function checkWindow({ days, from, to, timeZone }: MuteWindow, path: string): MuteWindow {
  if (days.length === 0 || days.some((day) => !Number.isInteger(day) || day < 1 || day > 7)) {
    throw badInput(`${path}/days`, 'must name days from 1, Monday, to 7, Sunday')
  }
  if (!timeOfDay.test(from)) throw badInput(`${path}/from`, 'must be a time such as 22:00')
  if (!timeOfDay.test(to) && to !== '24:00') throw badInput(`${path}/to`, 'must be a time such as 06:30, or 24:00')
  if (from === to) throw badInput(`${path}/to`, 'must differ from the beginning; for the whole day, use 00:00 and 24:00')
  if (!isTimeZone(timeZone)) {
    throw badInput(`${path}/timeZone`, `must be the name of a time zone, such as Europe/Berlin; ${JSON.stringify(timeZone.slice(0, 100))} is not one`)
  }
  return { days: [...new Set(days)].sort((a, b) => a - b), from, to, timeZone }
}
