import {
  type CellColors,
  cellColors,
  type CellFormatter,
  type ColumnSettings,
  findSettings,
  formatters,
  shownColumns,
} from '@querypost/visualization'
import type { Field } from '../api/first-rows.ts'

/** The columns of a table as its settings arrange them. Fields and rows hold only those that are shown, in their order. */
export interface ArrangedColumns {
  fields: Field[]
  rows: unknown[][]
  /** In the order of the fields. */
  settings: (ColumnSettings | undefined)[]
  formats: CellFormatter[]
  /** Null for columns without color rules. */
  colors: (CellColors | null)[]
}

export function arrangeColumns(all: { fields: Field[]; rows: unknown[][] }, columns: readonly ColumnSettings[] = []): ArrangedColumns {
  const places = shownColumns(all.fields, columns)
  const isUnchanged = places.length === all.fields.length && places.every((place, at) => place === at)
  const fields = isUnchanged ? all.fields : places.map((place) => all.fields[place]!)
  const rows = isUnchanged ? all.rows : all.rows.map((row) => places.map((place) => row[place]))
  const settings = fields.map(({ name }) => findSettings(columns, name))
  return {
    fields,
    rows,
    settings,
    formats: formatters(fields, rows, columns),
    colors: settings.map((each, at) => {
      const rules = each?.colors ?? []
      const hasScale = rules.some(({ when }) => when === 'scale')
      return rules.length === 0 ? null : cellColors(fields[at]!, rules, hasScale ? rows.map((row) => row[at]) : [])
    }),
  }
}
