import { columnTitle } from '@querypost/visualization'
import type { PointAsShown } from '../comments/describe-point.ts'
import type { ArrangedColumns } from './arrange-columns.ts'
import { isNumeric } from './cell.ts'

const maxKeys = 3

/** A cell as its table shows it. Its row is identified by the first columns that aren't numbers, or by the first one. */
export function pointOfCell(table: Omit<ArrangedColumns, 'rows' | 'colors'>, row: readonly unknown[], column: number): PointAsShown {
  const { fields, settings, formats } = table
  const titleOf = (at: number) => columnTitle(fields[at]!, settings[at])
  const textOf = (at: number) => formats[at]!(row[at]) ?? 'null'
  const others = fields.flatMap((_, at) => (at === column ? [] : [at]))
  const words = others.filter((at) => !isNumeric(fields[at]!.type) && fields[at]!.type !== 'json')
  const keys = (words.length > 0 ? words : others).slice(0, words.length > 0 ? maxKeys : 1)
  return { keys: keys.map((at) => ({ column: titleOf(at), value: textOf(at) })), column: titleOf(column), value: textOf(column) }
}
