import type { RowChange } from '../../../engines/duckdb/compare/row-comparer.ts'
import type { FieldType } from '../../../model/result.ts'
import { eachValue } from '../../../results/downloads/download-values.ts'
import type { SharedColumn } from './compare-columns.ts'
import { numberDifference } from './number-difference.ts'

const numberTypes: ReadonlySet<FieldType> = new Set(['integer', 'number', 'decimal'])

/**
 * A changed row as JSON: `{ op, key, before?, after?, cells? }`. Rows are as in the JSON result, value by value, so numbers keep their digits.
 * `cells` are the changed cells of a changed row, with the difference of numbers.
 */
export function presentChange(change: RowChange, { shared, key }: { shared: SharedColumn[]; key: number[] }): string {
  const before = change.before === null ? undefined : valuesOf(change.before)
  const after = change.after === null ? undefined : valuesOf(change.after)
  const keyValues = key.map((position) => (after ? after[shared[position]!.to] : before![shared[position]!.from]))
  const parts = [`"op":"${change.op}"`, `"key":[${keyValues.join(',')}]`]
  if (before) parts.push(`"before":[${before.join(',')}]`)
  if (after) parts.push(`"after":[${after.join(',')}]`)
  if (before && after) parts.push(`"cells":[${changedCells(before, after, shared).join(',')}]`)
  return `{${parts.join(',')}}`
}

function changedCells(before: string[], after: string[], shared: SharedColumn[]): string[] {
  return shared.flatMap(({ name, type, from, to }) => {
    const [one, other] = [before[from]!, after[to]!]
    if (one === other) return []
    const difference = numberTypes.has(type) ? numberDifference(one, other) : undefined
    const rest = difference === undefined ? '' : `,"difference":"${difference}"`
    return [`{"column":${JSON.stringify(name)},"before":${one},"after":${other}${rest}}`]
  })
}

/** The values of a row, `[1,"a"]`, each as JSON. */
function valuesOf(row: string): string[] {
  const values: string[] = []
  eachValue(`[${row}]`, { value: (json) => void values.push(json), rowEnd: () => {} })
  return values
}
