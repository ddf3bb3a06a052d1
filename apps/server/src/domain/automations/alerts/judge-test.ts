import { absolute, add, compare, type Decimal, decimalText, divide, readDecimal, signOf, subtract } from '@querypost/answers'
import {
  type AlertObservation,
  type AlertTest,
  alertLimits,
  type ChangeTest,
  type ComparedPeriod,
  type PastFigures,
  type ThresholdTest,
  type UnusualTest,
} from '../../../model/alert.ts'
import { keyName, measureName } from './measure-names.ts'

/**
 * What a test says about one result. `isMet` is undefined if it is unknown: `isFault` if the query has to be repaired, else because
 * the value is missing.
 */
export interface TestVerdict {
  isMet: boolean | undefined
  finding: string
  isFault?: boolean
}

export interface TestInput {
  observation: AlertObservation
  /** Earlier results, oldest first. */
  history: readonly PastFigures[]
  /** Whether the test has fired for the result before. */
  wasFiring: boolean
  now: Date
}

/** Pure. All figures are compared as exact decimals. */
export function judgeTest(test: AlertTest, input: TestInput): TestVerdict {
  const { observation } = input
  switch (test.kind) {
    case 'no_rows':
      return observation.rowCount === 0
        ? { isMet: true, finding: 'The result has no rows.' }
        : { isMet: false, finding: `The result has ${rows(observation.rowCount)}.` }
    case 'stale':
      return judgeAge(test, input)
    case 'new_rows': {
      const name = keyName(test.keyColumns)
      const found = observation.newRows[name]
      if (observation.faults[name] !== undefined) return fault(observation.faults[name])
      if (!found) return { isMet: false, finding: 'This is the first result; the next one is compared with it.' }
      return { isMet: found.count > 0, finding: found.count === 1 ? 'There is 1 new row.' : `There are ${found.count || 'no'} new rows.` }
    }
    default:
      return judgeFigure(test, input)
  }
}

function judgeFigure(test: AlertTest & (ThresholdTest | ChangeTest | UnusualTest), input: TestInput): TestVerdict {
  const { observation, history } = input
  const name = measureName(test)
  if (observation.faults[name] !== undefined) return fault(observation.faults[name])
  const text = observation.figures[name] ?? null
  const value = text === null ? undefined : readDecimal(text)
  const label = labelOf(test)
  if (value === undefined) return { isMet: undefined, finding: `There is no value for ${label}.` }
  const subject = `${capital(label)} is ${decimalText(value)}`
  switch (test.kind) {
    case 'threshold':
      return judgeThreshold(test, { value, subject, wasFiring: input.wasFiring })
    case 'change': {
      const before = findBefore(test.against, { at: observation.at, name, history })
      const beforeWhen = whenLabels[test.against]
      if (before === undefined) return { isMet: false, finding: `${subject}. There is no result of ${beforeWhen} to compare with.` }
      return judgeChange(test, { value, before, subject, beforeWhen })
    }
    case 'unusual':
      return judgeUnusual(test, { value, subject, past: figuresOf(history, name).slice(-test.results) })
  }
}

function judgeThreshold(
  { comparison, number, resolveAt }: ThresholdTest,
  { value, subject, wasFiring }: { value: Decimal; subject: string; wasFiring: boolean },
): TestVerdict {
  const isAbove = comparison.startsWith('>')
  const order = compare(value, numberDecimal(number))
  const isPast = (isAbove ? order > 0 : order < 0) || (comparison.length === 2 && order === 0)
  if (isPast) return { isMet: true, finding: `${subject}, which is ${comparison} ${number}.` }
  if (!wasFiring || resolveAt === undefined) return { isMet: false, finding: `${subject}, which is not ${comparison} ${number}.` }
  const toResolve = compare(value, numberDecimal(resolveAt))
  const isResolved = isAbove ? toResolve < 0 : toResolve > 0
  const goal = `${isAbove ? 'below' : 'above'} ${resolveAt}`
  return { isMet: !isResolved, finding: isResolved ? `${subject}, which is ${goal}.` : `${subject}, which is not ${goal} yet.` }
}

function judgeChange(
  { direction, by, unit }: ChangeTest,
  { value, before, subject, beforeWhen }: { value: Decimal; before: Decimal; subject: string; beforeWhen: string },
): TestVerdict {
  const difference = subtract(value, before)
  const isRelevant = direction === 'either' || (direction === 'up' ? signOf(difference) > 0 : signOf(difference) < 0)
  const size = absolute(difference)
  const was = `it was ${decimalText(before)} ${beforeWhen}`
  if (unit === 'absolute') {
    const isMet = isRelevant && compare(size, numberDecimal(by)) >= 0 && signOf(size) !== 0
    return { isMet, finding: `${subject}; ${was}: a difference of ${decimalText(difference)}.` }
  }
  if (signOf(before) === 0) {
    // No percentage describes a change from zero, and it is larger than any.
    return { isMet: isRelevant && signOf(difference) !== 0, finding: `${subject}; ${was}.` }
  }
  const base = absolute(before)
  // size / base >= by / 100, without a division.
  const isMet = isRelevant && signOf(size) !== 0 && compare(times(size, numberDecimal(100)), times(base, numberDecimal(by))) >= 0
  const percent = divide(times(difference, numberDecimal(100)), base, 1)
  const sign = signOf(percent) > 0 ? '+' : ''
  return { isMet, finding: `${subject}; ${was}: ${sign}${decimalText(percent)} %.` }
}

/**
 * The z-score: how many standard deviations the value is away from the mean of the results before it. With n earlier values, their sum S
 * and the sum of their squares Q, the sample variance is (nQ − S²) / (n(n − 1)), so |z| ≥ k is the same as
 * (nx − S)² (n − 1) ≥ k² n (nQ − S²), which needs no division and no root. If all earlier values are equal, any other value is unusual.
 */
function judgeUnusual(
  { deviations }: UnusualTest,
  { value, subject, past }: { value: Decimal; subject: string; past: readonly Decimal[] },
): TestVerdict {
  const count = past.length
  if (count < alertLimits.unusualResultsMin) {
    return { isMet: false, finding: `${subject}. There are ${count} earlier results; ${alertLimits.unusualResultsMin} are needed to tell what is usual.` }
  }
  const n = numberDecimal(count)
  const sum = past.reduce(add)
  const squares = past.map((each) => times(each, each)).reduce(add)
  const spread = subtract(times(n, squares), times(sum, sum))
  const distance = subtract(times(n, value), sum)
  const mean = divide(sum, n, 2)
  if (signOf(spread) === 0) {
    const isMet = signOf(distance) !== 0
    return { isMet, finding: `${subject}; it was ${decimalText(mean)} in all of the last ${count} results.` }
  }
  const left = times(times(distance, distance), numberDecimal(count - 1))
  const limit = numberDecimal(deviations)
  const isMet = compare(left, times(times(limit, limit), times(n, spread))) >= 0
  const score = zScore(left, times(n, spread), signOf(distance))
  return { isMet, finding: `${subject}: ${score} standard deviations from the mean of the last ${count} results, ${decimalText(mean)}.` }
}

/** Only for the text: the comparison above is exact. */
function zScore(squareLeft: Decimal, squareRight: Decimal, sign: number): string {
  const square = Number(decimalText(divide(squareLeft, squareRight, 6)))
  return (sign * Math.sqrt(square)).toFixed(1)
}

function judgeAge({ column, hours }: AlertTest & { kind: 'stale' }, { observation, now }: TestInput): TestVerdict {
  const found = observation.faults[`newest ${column}`]
  if (found !== undefined) return fault(found)
  const newest = observation.newestTimes[column] ?? null
  const name = JSON.stringify(column)
  if (newest === null) return { isMet: undefined, finding: `There is no time in ${name}.` }
  const ageHours = (now.getTime() - newest) / 3600_000
  return { isMet: ageHours > hours, finding: `The newest ${name} is ${new Date(newest).toISOString()}, ${age(ageHours)} ago.` }
}

const age = (hours: number) => (hours < 48 ? `${Math.max(0, Math.floor(hours))} hours` : `${Math.floor(hours / 24)} days`)

const toleranceMs = 12 * 3600_000

/** The figure to compare with. Of a period: of the result nearest to the time one period before, at most half a day off. */
function findBefore(
  against: ComparedPeriod,
  { at, name, history }: { at: Date; name: string; history: readonly PastFigures[] },
): Decimal | undefined {
  const candidates = history.filter(({ figures }) => (figures[name] ?? null) !== null)
  if (against === 'previous') return readDecimal(candidates.at(-1)?.figures[name])
  const targetMs = periodBefore(against, at).getTime()
  const distance = (past: PastFigures) => Math.abs(past.at.getTime() - targetMs)
  const nearest = candidates.reduce<PastFigures | undefined>((best, past) => (!best || distance(past) <= distance(best) ? past : best), undefined)
  return nearest && distance(nearest) <= toleranceMs ? readDecimal(nearest.figures[name]) : undefined
}

/** A month before the 31st is the last day of the month before. */
export function periodBefore(period: Exclude<ComparedPeriod, 'previous'>, at: Date): Date {
  if (period !== 'month') return new Date(at.getTime() - (period === 'day' ? 1 : 7) * 24 * 3600_000)
  const before = new Date(at)
  before.setUTCDate(1)
  before.setUTCMonth(before.getUTCMonth() - 1)
  const lastDay = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 0)).getUTCDate()
  before.setUTCDate(Math.min(at.getUTCDate(), lastDay))
  return before
}

const whenLabels: Record<ComparedPeriod, string> = {
  previous: 'last time',
  day: 'a day before',
  week: 'a week before',
  month: 'a month before',
}

const figuresOf = (history: readonly PastFigures[], name: string): Decimal[] =>
  history.flatMap(({ figures }) => readDecimal(figures[name] ?? undefined) ?? [])

const times = (a: Decimal, b: Decimal): Decimal => ({ units: a.units * b.units, scale: a.scale + b.scale })
const numberDecimal = (number: number): Decimal => readDecimal(number)!

const fault = (finding: string): TestVerdict => ({ isMet: undefined, finding, isFault: true })

const aggregateLabels = { first: 'the first value of', last: 'the last value of', min: 'the lowest', max: 'the highest', sum: 'the total of' }

const labelOf = ({ column, aggregate = 'first' }: { column?: string; aggregate?: keyof typeof aggregateLabels }) =>
  column === undefined ? 'the number of rows' : `${aggregateLabels[aggregate]} ${JSON.stringify(column)}`

const rows = (count: number) => (count === 1 ? '1 row' : `${count} rows`)
const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)
