import type { ColumnType, CsvReading, ValueFormat } from './csv-reading.ts'
import { orderedDateStart, patternOf, separatorPattern } from './value-formats.ts'

const duckdbTypes: Record<ColumnType, string> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
}

const columnName = (index: number) => `c${index}`
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** DuckDB's error for a value that does not match its pattern. */
export const misfit = 'a value does not fit its column'

/** The options for DuckDB's reader: nothing is left to detect, and every value is a text. The file is in UTF-8. */
export function readingOptions(reading: CsvReading, { skippedLines }: { skippedLines: number }): string[] {
  const columns = reading.types.map((_, index) => `'${columnName(index)}': 'VARCHAR'`)
  return [
    'auto_detect = false',
    `columns = {${columns.join(', ')}}`,
    `delim = ${literal(reading.delimiter)}`,
    `quote = '"'`,
    `escape = '"'`,
    `header = ${reading.hasHeader}`,
    `skip = ${skippedLines}`,
    `comment = ''`,
    `null_padding = false`,
    `encoding = 'utf-8'`,
    `compression = 'none'`,
  ]
}

/** The select list that converts the texts, under the names of the columns. */
export const conversions = (reading: CsvReading, names: string[]) =>
  reading.types.map((type, index) => `${conversion(columnName(index), type, reading)} AS ${identifier(names[index]!)}`).join(', ')

/** In a single column, DuckDB reads a blank line as a missing value. */
export const isNotBlank = `${columnName(0)} IS NOT NULL`

function conversion(column: string, type: ColumnType, format: ValueFormat): string {
  if (type === 'text') return column
  // JavaScript's `trim` removes all of these, too.
  const value = String.raw`regexp_replace(${column}, '^[\s\x{A0}\x{202F}\x{FEFF}]+|[\s\x{A0}\x{202F}\x{FEFF}]+$', '', 'g')`
  const fits = `regexp_matches(${value}, ${literal(patternOf(type, format))})`
  const converted = `CAST(${plain(value, type, format)} AS ${duckdbTypes[type]})`
  return `CASE WHEN coalesce(${value}, '') = '' THEN NULL WHEN ${fits} THEN ${converted} ELSE error('${misfit}') END`
}

/** The value as DuckDB writes it. */
function plain(value: string, type: ColumnType, { decimalSign, thousandsSeparator, dateOrder }: ValueFormat): string {
  if (type === 'integer' || type === 'number') {
    const separator = separatorPattern(thousandsSeparator)
    const ungrouped = separator === '' ? value : `regexp_replace(${value}, ${literal(separator)}, '', 'g')`
    return decimalSign === '.' ? ungrouped : `replace(${ungrouped}, ',', '.')`
  }
  if (type === 'boolean' || dateOrder === 'ymd') return value
  const iso = dateOrder === 'dmy' ? String.raw`\3-\2-\1` : String.raw`\3-\1-\2`
  return `regexp_replace(${value}, ${literal(orderedDateStart)}, '${iso}')`
}
