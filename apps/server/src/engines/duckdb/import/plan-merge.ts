import type { Column } from '../../engine.ts'

type NamedType = Pick<Column, 'name' | 'type'>

/** How rows of a file are added to a table: each of its columns with the file's, and the columns that identify a row. */
export interface MergePlan {
  columns: { table: string; file: string; type: string }[]
  keys: { table: string; file: string }[]
}

/** Pairs the columns by name, ignoring case. Returns a sentence if the file does not match the table. */
export function planMerge(input: { table: NamedType[]; file: NamedType[]; keys: string[] }): MergePlan | { mismatch: string } {
  const missing = input.table.filter(({ name }) => !find(input.file, name))
  if (missing.length > 0) return { mismatch: `The file has no ${columnsNamed(missing)}, which the table has. Add what is missing to the file.` }
  const extra = input.file.filter(({ name }) => !find(input.table, name))
  if (extra.length > 0) return { mismatch: `The table has no ${columnsNamed(extra)}, which the file has. Remove what is extra from the file.` }
  const unknownKeys = input.keys.filter((name) => !find(input.table, name)).map((name) => ({ name }))
  if (unknownKeys.length > 0) return { mismatch: `The table has no ${columnsNamed(unknownKeys)}. Choose other key columns.` }
  const pairs = input.table.map((column) => ({ column, given: find(input.file, column.name)! }))
  const other = pairs.find(({ column, given }) => !isSafe(given.type, column.type))
  if (other) {
    const { column, given } = other
    return { mismatch: `The column ${column.name} is ${given.type} in the file and ${column.type} in the table. Choose another type for it.` }
  }
  const columns = pairs.map(({ column, given }) => ({ table: column.name, file: given.name, type: column.type }))
  return { columns, keys: columns.filter(({ table }) => find(input.keys.map((name) => ({ name })), table)) }
}

const find = <Named extends { name: string }>(all: Named[], name: string) =>
  all.find((each) => each.name.toLowerCase() === name.toLowerCase())

const columnsNamed = (columns: { name: string }[]) =>
  `${columns.length === 1 ? 'column' : 'columns'} ${columns.map(({ name }) => name).join(', ')}`

/** Types whose values can be converted without becoming something else. A value that is too large still fails. */
const families = [
  /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/,
  /^(DOUBLE|FLOAT|DECIMAL\(.*\))$/,
  /^TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?$/,
]
const [integers, numbers, timestamps] = families as [RegExp, RegExp, RegExp]

function isSafe(given: string, wanted: string): boolean {
  if (given === wanted || families.some((family) => family.test(given) && family.test(wanted))) return true
  return (integers.test(given) && numbers.test(wanted)) || (given === 'DATE' && timestamps.test(wanted))
}
