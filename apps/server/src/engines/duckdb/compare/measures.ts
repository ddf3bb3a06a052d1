import { cell, type ContributionsRequest, list, type Side, table } from './compare-statements.ts'
import { type Addend, addendsOf, describeNumbers, findFault, type NumberFault, type NumberFormat, numberText } from './number-statements.ts'

/** An integer in units of 10^-scale. */
export type ExactNumber = [units: string, scale: number]

/** A column that is added up. Its integers are in columns with the names of its addends. */
export interface Measure {
  fault: NumberFault | null
  format: NumberFormat
  addends: (Addend & { name: string })[]
}

export type ReadRows = <Row>(query: string) => Promise<Row[]>
export type Row = Record<string, string>

/** Numbers that cannot be added up count as 0. */
const nothing: Addend = { sql: () => '0::BIGINT', scale: 0 }

/** Finds out how many digits each measure has in the earlier result and in the changed rows, which have all numbers of both results. */
export async function describeMeasures({ measures }: ContributionsRequest, readRows: ReadRows): Promise<Measure[]> {
  const described: Measure[] = []
  let count = 0
  for (const [index, pair] of measures.entries()) {
    const texts = `SELECT ${cell('from', pair)} AS json FROM ${table('from')} UNION ALL SELECT to_m${index} FROM changes WHERE op <> 'remove'`
    const format = (await readRows<NumberFormat & { others: number }>(describeNumbers(texts)))[0]!
    const fault = findFault(format)
    const addends = (fault ? [nothing] : addendsOf(format)).map(({ sql, scale }) => ({ sql, scale, name: `n${count++}` }))
    described.push({ fault, format, addends })
  }
  return described
}

export const namesOf = (measures: Measure[]): string[] => measures.flatMap(({ addends }) => addends.map(({ name }) => name))

/** The integers of the measures whose JSON is in `jsons`, and other columns of `source`. */
export function selectNumbers(measures: Measure[], options: { jsons: string[]; columns?: string[]; source: string; sign?: '-' }): string {
  const { jsons, columns = [], source, sign = '' } = options
  const texts = measures.map(({ format }, index) => `${numberText(jsons[index]!, format)} AS t${index}`)
  const numbers = measures.flatMap(({ addends }, index) => addends.map(({ sql, name }) => `${sign}${sql(`t${index}`)} AS ${name}`))
  return `SELECT ${list([...columns.map((column) => column.split(' AS ').at(-1)!), ...numbers])} FROM (SELECT ${list([...columns, ...texts])} FROM ${source})`
}

/** The changed rows of one side, with labels `v0`, `v1`, … Those of the earlier result are negative. */
export function selectDifferences(measures: Measure[], side: Side, labelCount: number): string {
  const labels = Array.from({ length: labelCount }, (_, index) => `${side}_v${index} AS v${index}`)
  return selectNumbers(measures, {
    jsons: measures.map((_, index) => `${side}_m${index}`),
    columns: ['op', ...labels],
    source: `changes WHERE op <> '${side === 'from' ? 'add' : 'remove'}'`,
    ...(side === 'from' && { sign: '-' }),
  })
}

export const sumsOf = (measures: Measure[]): string[] => namesOf(measures).map((name) => `coalesce(sum(${name}), 0)::VARCHAR AS ${name}`)

/** The numbers of a row whose columns are the integers of the measures. */
export function readNumbers(measures: Measure[], row: Row): ExactNumber[] {
  return measures.map(({ addends }) => {
    const scale = Math.max(...addends.map((addend) => addend.scale))
    const units = addends.reduce((sum, addend) => sum + BigInt(row[addend.name]!) * 10n ** BigInt(scale - addend.scale), 0n)
    return [String(units), scale]
  })
}

export const plus = (some: ExactNumber[], others: ExactNumber[]): ExactNumber[] =>
  some.map(([units, scale], index) => [String(BigInt(units) + BigInt(others[index]![0])), scale])

export const negated = (numbers: ExactNumber[]): ExactNumber[] => numbers.map(([units, scale]) => [String(-BigInt(units)), scale])

/** Whether a group contributes to a measure. */
export function isNotZero({ addends }: Measure): string {
  const [first, second] = addends
  if (!second) return `${first!.name} <> 0`
  const one = `${10n ** BigInt(second.scale)}::HUGEINT`
  return `NOT (${second.name} % ${one} = 0 AND ${first!.name} + ${second.name} // ${one} = 0)`
}

/** A floating-point number, which is enough to put groups in order. */
export const approximate = ({ addends }: Measure): string =>
  `(${addends.map(({ name, scale }) => `${name}::DOUBLE / 1e${scale}`).join(' + ')})`
