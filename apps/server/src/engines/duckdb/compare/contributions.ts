import { cell, type ColumnPair, type ContributionsRequest, list, sides, table } from './compare-statements.ts'
import {
  approximate,
  describeMeasures,
  type ExactNumber,
  isNotZero,
  type Measure,
  namesOf,
  negated,
  plus,
  readNumbers,
  type ReadRows,
  type Row,
  selectDifferences,
  selectNumbers,
  sumsOf,
} from './measures.ts'
import type { NumberFault } from './number-statements.ts'

/**
 * Adds up measures by key and by dimension.
 *
 * Rows that are equal in both results contribute nothing, so differences are added up over changed rows only, and grouping takes as much
 * memory as there are changes. What a group had before is read only for the few that are shown.
 */
export interface Contributions {
  /** Why a measure cannot be added up. Its numbers are 0. */
  faults: (NumberFault | null)[]
  totals: Sums
  /** The differences of each measure. */
  byOperation: Record<Operation, ExactNumber[]>
  /** For each measure, or only one for a ratio. Empty if rows have no key. */
  byKey: ContributionGroups[]
  /** The same for each dimension. */
  byDimension: ContributionGroups[][]
}

/** The sums of each measure in both results. */
export interface Sums {
  from: ExactNumber[]
  to: ExactNumber[]
}

export interface ContributionGroups {
  /** The groups that contribute most, the largest first. Values are JSON. */
  largest: { values: string[]; sums: Sums }[]
  /** All other groups that contribute. */
  rest: { count: number; differences: ExactNumber[] }
}

const operations = ['add', 'remove', 'change'] as const
type Operation = (typeof operations)[number]

interface Access {
  /** Undefined if whole rows were compared. */
  key: ColumnPair[] | undefined
  run(statement: string): Promise<unknown>
  readRows: ReadRows
}

/** The columns of `changes`: the labels by which measures are added up, `from_v0`, …, and the measures, `from_m0`, … */
export const selectValues = ({ measures, dimensions }: ContributionsRequest, key: ColumnPair[] | undefined): string[] =>
  sides.flatMap((side) => [
    ...[...(key ?? []), ...dimensions].map((pair, index) => `${side}_side.${cell(side, pair)} AS ${side}_v${index}`),
    ...measures.map((pair, index) => `${side}_side.${cell(side, pair)} AS ${side}_m${index}`),
  ])

/** The table `changes` has been made, with the columns of `selectValues`. */
export async function readContributions(request: ContributionsRequest, access: Access): Promise<Contributions> {
  const { key = [], run, readRows } = access
  const measures = await describeMeasures(request, readRows)
  await run(`DROP TABLE ${table('to')}`)
  const jsons = request.measures.map((pair) => cell('from', pair))
  await run(`CREATE TABLE from_numbers AS ${selectNumbers(measures, { jsons, source: table('from') })}`)
  const labelCount = key.length + request.dimensions.length
  await run(`CREATE TABLE differences AS ${sides.map((side) => selectDifferences(measures, side, labelCount)).join(' UNION ALL ')}`)
  await run('DROP TABLE changes')
  const readSums = async (source: string) => readNumbers(measures, (await readRows<Row>(`SELECT ${list(sumsOf(measures))} FROM ${source}`))[0]!)
  const before = await readSums('from_numbers')
  const totals = { from: before, to: plus(before, await readSums('differences')) }
  const byOperation = {} as Contributions['byOperation']
  for (const op of operations) byOperation[op] = await readSums(`differences WHERE op = '${op}'`)
  const read = { ...access, measures, rankings: rankingsOf(request, measures, totals), shownCount: request.shownCount }
  const byKey = key.length > 0 ? await readGroups(read, key, 0) : []
  const byDimension: ContributionGroups[][] = []
  for (const [index, dimension] of request.dimensions.entries()) byDimension.push(await readGroups(read, [dimension], key.length + index))
  return { faults: measures.map(({ fault }) => fault), totals, byOperation, byKey, byDimension }
}

interface Ranking {
  /** Whether a group contributes at all. */
  condition: string
  /** The size of its contribution. */
  size: string
}

function rankingsOf({ isRatio }: ContributionsRequest, measures: Measure[], totals: Sums): Ranking[] {
  if (!isRatio) return measures.map((measure) => ({ condition: isNotZero(measure), size: `abs(${approximate(measure)})` }))
  const [numerator, denominator] = measures as [Measure, Measure]
  const [ofDenominator, ofNumerator] = [0, 1].map((index) => asFloat(totals.from[index]!) + asFloat(totals.to[index]!))
  return [
    {
      condition: `${isNotZero(numerator)} OR ${isNotZero(denominator)}`,
      size: `abs(${approximate(numerator)} * ${ofNumerator}::DOUBLE - ${approximate(denominator)} * ${ofDenominator}::DOUBLE)`,
    },
  ]
}

const asFloat = ([units, scale]: ExactNumber) => Number(units) / 10 ** scale

type GroupAccess = Access & { measures: Measure[]; rankings: Ranking[]; shownCount: number }

/** Adds up the differences by some columns, whose labels begin with `firstLabel`. */
async function readGroups({ run, readRows, measures, rankings, shownCount }: GroupAccess, columns: ColumnPair[], firstLabel: number): Promise<ContributionGroups[]> {
  const values = columns.map((_, index) => `v${firstLabel + index}`)
  const numbers = namesOf(measures)
  const sums = numbers.map((name) => `sum(${name}) AS ${name}`)
  await run(`CREATE OR REPLACE TABLE groups AS SELECT ${list([...values, ...sums])} FROM differences GROUP BY ${list(values)}`)
  // Of equal sizes, the first values come first, so that the order is always the same.
  const largestBy = ({ condition, size }: Ranking) => `FROM groups WHERE ${condition} ORDER BY ${list([`${size} DESC`, ...values])} LIMIT ${shownCount}`
  await run(`CREATE OR REPLACE TABLE shown AS ${rankings.map((ranking) => `(SELECT ${list(values)} ${largestBy(ranking)})`).join(' UNION ')}`)
  const isShown = columns.map((pair, index) => `${cell('from', pair)} = shown.${values[index]}`).join(' AND ')
  const rowsBefore = await readRows<Row>(
    `SELECT ${list([...values, ...sumsOf(measures)])} FROM ${table('from')} POSITIONAL JOIN from_numbers JOIN shown ON ${isShown} GROUP BY ${list(values)}`,
  )
  const valuesOf = (row: Row) => values.map((name) => row[name]!)
  const before = new Map(rowsBefore.map((row) => [valuesOf(row).join(), readNumbers(measures, row)]))
  const nothing = readNumbers(measures, Object.fromEntries(numbers.map((name) => [name, '0'])))
  const found: ContributionGroups[] = []
  for (const ranking of rankings) {
    const texts = numbers.map((name) => `${name}::VARCHAR AS ${name}`)
    const rows = await readRows<Row>(`SELECT ${list([...values, ...texts])} ${largestBy(ranking)}`)
    const all = (await readRows<Row & { count: number }>(`SELECT ${list(['count(*) AS count', ...sumsOf(measures)])} FROM groups WHERE ${ranking.condition}`))[0]!
    const largest = rows.map((row) => {
      const from = before.get(valuesOf(row).join()) ?? nothing
      return { values: valuesOf(row), sums: { from, to: plus(from, readNumbers(measures, row)) } }
    })
    // Subtracting takes no memory, unlike numbering a million groups.
    const differences = rows.reduce((left, row) => plus(left, negated(readNumbers(measures, row))), readNumbers(measures, all))
    found.push({ largest, rest: { count: all.count - rows.length, differences } })
  }
  return found
}
