/**
 * Rows that are compared: two files in one folder, `from.rows` and `to.rows`. A line has the position of a row and the JSON of its values,
 * separated by `separator`.
 */
export interface CompareRequest {
  /** The absolute path of an existing folder for this request. Everything is written there. */
  folder: string
  columnCounts: { from: number; to: number }
  /** At least the length of the longest line. */
  lineMaxBytes: number
  /** The columns that both have, as their indexes in each. */
  shared: ColumnPair[]
  /** The key, as positions in `shared`; null if it is to be found among `candidates`. */
  key: number[] | null
  candidates: number[]
  memoryLimitMb: number
  /** Undefined if only the changed rows are wanted. */
  contributions?: ContributionsRequest
}

/** Columns of numbers that are added up by key and by dimension. */
export interface ContributionsRequest {
  measures: ColumnPair[]
  /** Whether the quotient of the first two measures decides which contributions are the largest, instead of each measure for itself. */
  isRatio: boolean
  dimensions: ColumnPair[]
  /** How many of the largest contributions are listed; the others are added up. */
  shownCount: number
}

export interface ColumnPair {
  from: number
  to: number
}

export type Side = 'from' | 'to'
export const sides: Side[] = ['from', 'to']

/** Separates values. JSON contains it only as an escape. */
export const separator = '\u001f'

/** DuckDB reads a file in pieces of this size. */
const bufferBytes = 8 * 1024 * 1024

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
export const table = (side: Side) => `${side}_rows`
export const cell = (side: Side, { [side]: column }: ColumnPair) => `c${column}`
export const list = (parts: string[]) => parts.join(', ')
const all = (conditions: string[]) => (conditions.length === 0 ? 'true' : conditions.join(' and '))

export function setUp({ folder, memoryLimitMb, columnCounts, lineMaxBytes }: CompareRequest): string[] {
  const buffer = [`max_line_size = ${lineMaxBytes}`, `buffer_size = ${Math.max(bufferBytes, 2 * lineMaxBytes)}`]
  const format = ['auto_detect = false', 'header = false', `delim = '${separator}'`, `quote = ''`, `escape = ''`, String.raw`new_line = '\n'`, ...buffer]
  return [
    `SET memory_limit = '${memoryLimitMb}MiB'`,
    `SET threads = 1`,
    `SET temp_directory = ${text(`${folder}/spill`)}`,
    `SET autoinstall_known_extensions = false`,
    `SET autoload_known_extensions = false`,
    `SET allowed_directories = [${text(`${folder}/`)}]`,
    `SET enable_external_access = false`,
    `SET lock_configuration = true`,
    ...sides.map((side) => {
      const columns = Array.from({ length: columnCounts[side] }, (_, column) => `'c${column}': 'VARCHAR'`)
      return `CREATE TABLE ${table(side)} AS
        FROM read_csv(${text(`${folder}/${side}.rows`)}, ${list(format)}, columns = {${list([`'p': 'BIGINT'`, ...columns])}})`
    }),
  ]
}

/** Writes the rows of a query to `<name>.json`. */
export const copyTo = (folder: string, name: string, query: string): string =>
  `COPY (${query}) TO ${text(`${folder}/${name}.json`)} (FORMAT json)`

export const countRows = (side: Side): string => `SELECT count(*) AS count FROM ${table(side)}`

/** Grouping, unlike `count(distinct …)`, does not need all values in memory. */
export const countDistinct = (side: Side, key: ColumnPair[]): string =>
  `SELECT count(*) AS count FROM (SELECT ${list(key.map((pair) => cell(side, pair)))} FROM ${table(side)} GROUP BY ALL)`

/**
 * The table `changes`: the operation, the positions, and the columns that `selected` chooses, such as the rows as JSON text.
 *
 * If a key occurs several times, equal rows are taken out first, each as often as it occurs in both. What remains of a key is paired in
 * the order of its rows. So a row counts as changed only if no equal one is left.
 */
export function makeChanges(
  { shared }: CompareRequest,
  { key, isUnique, selected }: { key: ColumnPair[]; isUnique: boolean; selected: string[] },
): string[] {
  const same = (pairs: ColumnPair[]) => pairs.map((pair) => `from_side.${cell('from', pair)} = to_side.${cell('to', pair)}`)
  const differ = `NOT (${all(same(shared))})`
  const steps: string[] = []
  if (!isUnique) {
    for (const side of sides) {
      const cells = shared.map((pair) => cell(side, pair))
      steps.push(`CREATE TABLE ${side}_counted AS
        SELECT *, row_number() OVER (PARTITION BY ${list(cells)} ORDER BY p) AS occurrence FROM ${table(side)}`)
    }
    const equal = all([...same(shared), 'from_side.occurrence = to_side.occurrence'])
    for (const side of sides) {
      const other = side === 'from' ? 'to' : 'from'
      steps.push(`CREATE TABLE ${side}_left AS
        SELECT ${side}_side.* EXCLUDE (occurrence),
          row_number() OVER (PARTITION BY ${list(key.map((pair) => `${side}_side.${cell(side, pair)}`))} ORDER BY ${side}_side.p) AS occurrence
        FROM ${side}_counted AS ${side}_side ANTI JOIN ${other}_counted AS ${other}_side ON ${equal}`)
    }
  }
  const source = (side: Side) => (isUnique ? table(side) : `${side}_left`)
  const paired = all([...same(key), ...(isUnique ? [] : ['from_side.occurrence = to_side.occurrence'])])
  return [
    ...steps,
    `CREATE TABLE changes AS
      SELECT CASE WHEN from_side.p IS NULL THEN 'add' WHEN to_side.p IS NULL THEN 'remove' ELSE 'change' END AS op,
        ${list(['from_side.p AS from_position', 'to_side.p AS to_position', ...selected])}
      FROM ${source('from')} AS from_side FULL OUTER JOIN ${source('to')} AS to_side ON ${paired}
      WHERE from_side.p IS NULL OR to_side.p IS NULL OR ${differ}`,
  ]
}

/** The rows of each side as JSON texts: `before` and `after`. */
export function selectRows({ columnCounts }: CompareRequest): string[] {
  const row = (side: Side) => {
    const cells = Array.from({ length: columnCounts[side] }, (_, column) => `${side}_side.c${column}`)
    return cells.length === 0 ? `'[]'` : `'[' || concat_ws(',', ${list(cells)}) || ']'`
  }
  return [`CASE WHEN from_side.p IS NOT NULL THEN ${row('from')} END AS before`, `CASE WHEN to_side.p IS NOT NULL THEN ${row('to')} END AS after`]
}

export const countChanges = `SELECT count(*) FILTER (op = 'add') AS added, count(*) FILTER (op = 'remove') AS removed,
  count(*) FILTER (op = 'change') AS changed FROM changes`

/** Added and changed rows in the order of the later result, then removed rows in the order of the earlier one. */
export const orderedChanges = `SELECT op, before, after FROM changes ORDER BY to_position NULLS LAST, from_position`
