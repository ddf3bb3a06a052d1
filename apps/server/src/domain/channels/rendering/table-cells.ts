import { type Field, formatters, isNumeric } from '@querypost/visualization'
import { withEllipsis } from '../../../ports/cut-text.ts'
import type { ReportSection } from '../../../model/report.ts'

export type TableSection = Extract<ReportSection, { kind: 'table' }>

export interface TableCells {
  heads: { text: string; isNumeric: boolean }[]
  rows: string[][]
  /** "Showing 20 of 1,234 rows", for example; null if everything is shown. */
  rest: string | null
}

const locale = 'en'
const cellMaxCharacters = 80

/** The first rows and columns of a table as people read them. */
export function tableCells(table: TableSection, limits: { rows: number; columns: number }): TableCells {
  const fields: readonly Field[] = table.fields.slice(0, limits.columns)
  const formats = formatters(table.fields, table.rows, undefined, locale)
  const rows = table.rows
    .slice(0, limits.rows)
    .map((row) => fields.map((_, at) => withEllipsis((formats[at]!(row[at]) ?? '–').replaceAll(/\s+/g, ' '), cellMaxCharacters)))
  return {
    heads: fields.map((field) => ({ text: withEllipsis(field.name, cellMaxCharacters), isNumeric: isNumeric(field) })),
    rows,
    rest: restOf({ ...table, shownRows: rows.length, shownColumns: fields.length }),
  }
}

function restOf(table: { shownRows: number; rowCount: number; shownColumns: number; fields: readonly unknown[] }): string | null {
  const parts = [
    table.shownRows < table.rowCount ? `${table.shownRows} of ${counted(table.rowCount)} rows` : null,
    table.shownColumns < table.fields.length ? `${table.shownColumns} of ${table.fields.length} columns` : null,
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : `Showing ${parts.join(' and ')}`
}

const counted = (count: number) => new Intl.NumberFormat(locale).format(count)
