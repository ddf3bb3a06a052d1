import { type Column, readColumns } from './classify-columns.ts'
import type { StoredResult } from './draft.ts'
import type { FieldType } from './field.ts'
import { readTime, type Step, stepOf } from './time-steps.ts'

/**
 * A stored result as expressions and the judge read it. *Labels* are the cells that name rows: texts, dates, booleans, identifiers.
 * They are indexed in one pass over the rows, once per result.
 */
export interface ResultView {
  result: StoredResult
  columns: Column[]
  labelColumns: LabelColumn[]
  rowCount: number
}

export interface LabelColumn {
  column: Column
  type: FieldType
  /** The distinct labels by their key, in the order of the rows. NULL is not a label. */
  labels: Map<string, Label>
  /** For times: the length of the periods that they name. */
  step: Step | undefined
}

export interface Label {
  /** The cell as text. */
  key: string
  /** When the period starts, for times. */
  timeMs: number | undefined
}

export const labelKey = (value: unknown): string => (typeof value === 'string' ? value : String(value))

const views = new WeakMap<StoredResult, ResultView>()

/** The same view for the same result, so that repeated calls while an answer is being written cost nothing. */
export function viewOf(result: StoredResult): ResultView {
  const known = views.get(result)
  if (known) return known
  const view = makeView(result)
  views.set(result, view)
  return view
}

function makeView(result: StoredResult): ResultView {
  const columns = readColumns([...result.fields])
  const labelColumns: LabelColumn[] = columns
    .filter(({ role }) => role === 'key' || role === 'time')
    .map((column) => ({ column, type: result.fields[column.index]!.type, labels: new Map(), step: undefined }))
  let rowCount = 0
  for (const row of result.rows) {
    rowCount++
    for (const { column, labels } of labelColumns) {
      const value = row[column.index]
      if (value === null || value === undefined) continue
      const key = labelKey(value)
      if (!labels.has(key)) labels.set(key, { key, timeMs: column.role === 'time' ? readTime(value) : undefined })
    }
  }
  for (const labelColumn of labelColumns) labelColumn.step = stepOfColumn(labelColumn)
  return { result, columns, labelColumns, rowCount }
}

/** Fewer first days of a month could just as well be days, unless the column's name says what they are. */
const fewestPeriods = 3

function stepOfColumn({ column, labels }: LabelColumn): Step | undefined {
  if (column.role !== 'time') return undefined
  const times = [...labels.values()].map(({ timeMs }) => timeMs).filter((ms) => ms !== undefined)
  if (times.length === 0) return undefined
  const step = stepOf(times)
  if (step === 'hour' || step === 'day' || step === undefined) return step
  const named = (['week', 'month', 'quarter', 'year'] as const).find((name) => new RegExp(`(^|[^a-z])${name}`, 'i').test(column.name))
  if (named) return isStartOf(times, named) ? named : step
  return labels.size >= fewestPeriods ? step : 'day'
}

function isStartOf(times: number[], step: 'week' | 'month' | 'quarter' | 'year'): boolean {
  return times.every((ms) => {
    const date = new Date(ms)
    if (step === 'week') return true
    if (date.getUTCDate() !== 1) return false
    return step === 'month' || (step === 'quarter' ? date.getUTCMonth() % 3 === 0 : date.getUTCMonth() === 0)
  })
}
