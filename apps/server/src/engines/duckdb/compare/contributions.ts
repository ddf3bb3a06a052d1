import { cell, type ColumnPair, type ContributionsRequest, list, partNames, type Side, sides, table } from './compare-statements.ts'

/**
 * Sums of measures, exact. A number is held as its whole part and its fraction in units of 10^-27, both as integers of 128 bits, so that a
 * hundred billion of them can be added. Both have the sign of the number.
 */
export interface Sums {
  /** For each measure: whole part and fraction, as texts. */
  from: [string, string][]
  to: [string, string][]
}

export interface ContributionGroups {
  /** The groups that contribute most, the largest first. Values are JSON. */
  largest: { values: string[]; sums: Sums }[]
  /** All other groups that contribute. */
  rest: { count: number; sums: Sums }
}

export interface Contributions {
  totals: Sums
  byOperation: Record<'add' | 'remove' | 'change', Sums>
  /** For each measure, or only one for a ratio. Empty if rows have no key. */
  byKey: ContributionGroups[]
  /** The same for each dimension. */
  byDimension: ContributionGroups[][]
}

interface Access {
  /** Undefined if whole rows were compared. */
  key: ColumnPair[] | undefined
  run(statement: string): Promise<unknown>
  readRows<Row>(query: string): Promise<Row[]>
}

type SumRow = Record<string, string>

/** Adds up the measures. The table `changes` has been made. */
export async function readContributions(request: ContributionsRequest, { key, run, readRows }: Access): Promise<Contributions> {
  const { measureCount } = request
  const read = async (query: string) => sumsOf((await readRows<SumRow>(query))[0]!, measureCount)
  const totals = await read(sumQuery(signedRows([], measureCount), measureCount))
  const byOperation = {} as Contributions['byOperation']
  for (const op of ['add', 'remove', 'change'] as const) {
    byOperation[op] = await read(sumQuery(signedRows([], measureCount, `op = '${op}'`), measureCount))
  }
  const rankings = rankingsOf(request, totals)
  async function readGroups(columns: ColumnPair[], condition?: string): Promise<ContributionGroups[]> {
    await run(`CREATE OR REPLACE TABLE groups AS ${groupQuery(columns, measureCount, condition)}`)
    const found: ContributionGroups[] = []
    for (const ranking of rankings) {
      const largest = await readRows<SumRow>(
        `SELECT ${list([...valueNames(columns.length), ...sumNames(measureCount).map((name) => `${name}::VARCHAR AS ${name}`)])}
         FROM groups WHERE ${ranking.condition}
         ORDER BY ${list([`${ranking.size} DESC`, ...valueNames(columns.length)])} LIMIT ${request.shownCount}`,
      )
      const all = (await readRows<SumRow & { count: number }>(
        `SELECT count(*) AS count, ${list(sumNames(measureCount).map(summed))} FROM groups WHERE ${ranking.condition}`,
      ))[0]!
      // Subtracting takes no memory, unlike numbering a million groups.
      const rest = Object.fromEntries(sumNames(measureCount).map((name) => [name, String(largest.reduce((left, row) => left - BigInt(row[name]!), BigInt(all[name]!)))]))
      found.push({
        largest: largest.map((row) => ({ values: valueNames(columns.length).map((name) => row[name]!), sums: sumsOf(row, measureCount) })),
        rest: { count: all.count - largest.length, sums: sumsOf(rest, measureCount) },
      })
    }
    return found
  }
  const byKey = key ? await readGroups(key, 'true') : []
  const byDimension: ContributionGroups[][] = []
  for (const dimension of request.dimensions) byDimension.push(await readGroups([dimension]))
  return { totals, byOperation, byKey, byDimension }
}

const valueNames = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`)
/** The sums of each measure on each side: `fm0w`, `fm0f`, … `tm0w`, … */
const sumNames = (measureCount: number) => sides.flatMap((side) => partNames(measureCount).map((name) => side[0] + name))
const summed = (name: string) => `coalesce(sum(${name}), 0)::VARCHAR AS ${name}`

/**
 * The rows of both results, with the numbers of each under the names of its side and zero under those of the other. With a condition: only
 * changed rows that fulfill it.
 */
function signedRows(columns: ColumnPair[], measureCount: number, condition?: string): string {
  const ofSide = (side: Side) => {
    const values = columns.map((pair, index) => `${cell(side, pair)} AS v${index}`)
    const numbers = sides.flatMap((each) => partNames(measureCount).map((name) => `${each === side ? name : '0::HUGEINT'} AS ${each[0]}${name}`))
    const changed = condition === undefined ? '' : `WHERE p IN (SELECT ${side}_position FROM changes WHERE ${condition} AND ${side}_position IS NOT NULL)`
    return `SELECT ${list([...values, ...numbers])} FROM ${table(side)} ${changed}`
  }
  return sides.map(ofSide).join(' UNION ALL ')
}

const sumQuery = (rows: string, measureCount: number) => `SELECT ${list(sumNames(measureCount).map(summed))} FROM (${rows})`

function groupQuery(columns: ColumnPair[], measureCount: number, condition: string | undefined): string {
  const sums = sumNames(measureCount).map((name) => `sum(${name}) AS ${name}`)
  return `SELECT ${list([...valueNames(columns.length), ...sums])} FROM (${signedRows(columns, measureCount, condition)})
    GROUP BY ${list(valueNames(columns.length))}`
}

interface Ranking {
  /** Whether a group contributes at all. */
  condition: string
  /** The size of its contribution. Only its order matters, so a floating-point number is enough. */
  size: string
}

const fractionUnits = `1000000000000000000000000000::HUGEINT`

const whole = (measure: number) => `(tm${measure}w - fm${measure}w)`
const fraction = (measure: number) => `(tm${measure}f - fm${measure}f)`

const isNotZero = (measure: number) =>
  `NOT (${fraction(measure)} % ${fractionUnits} = 0 AND ${whole(measure)} + ${fraction(measure)} // ${fractionUnits} = 0)`
const difference = (measure: number) => `(${whole(measure)}::DOUBLE + ${fraction(measure)}::DOUBLE / 1e27)`

function rankingsOf({ measureCount, isRatio }: ContributionsRequest, totals: Sums): Ranking[] {
  if (isRatio) {
    const [numerator, denominator] = [0, 1].map((measure) => approximate(totals, measure))
    const condition = `${isNotZero(0)} OR ${isNotZero(1)}`
    const [ofNumerator, ofDenominator] = [denominator!.from + denominator!.to, numerator!.from + numerator!.to]
    return [{ condition, size: `abs(${difference(0)} * ${ofNumerator}::DOUBLE - ${difference(1)} * ${ofDenominator}::DOUBLE)` }]
  }
  return Array.from({ length: measureCount }, (_, measure) => ({ condition: isNotZero(measure), size: `abs(${difference(measure)})` }))
}

const asFloat = ([units, rest]: [string, string]) => Number(units) + Number(rest) / 1e27
const approximate = (totals: Sums, measure: number) => ({ from: asFloat(totals.from[measure]!), to: asFloat(totals.to[measure]!) })

/** Of equal sizes, the first values come first, so that the order is always the same. */
function sumsOf(row: SumRow, measureCount: number): Sums {
  const side = (initial: string) =>
    Array.from({ length: measureCount }, (_, measure): [string, string] => [row[`${initial}m${measure}w`]!, row[`${initial}m${measure}f`]!])
  return { from: side('f'), to: side('t') }
}
