/** Detects how a CSV file is read from its first rows. Everything it finds can be changed before the import. */
import { readFirstLine } from '../import-csv.ts'
import {
  type ColumnType,
  type CsvLayout,
  type CsvReading,
  dateOrders,
  type DateOrder,
  type Delimiter,
  delimiters,
  type Encoding,
  type ValueFormat,
} from './csv-reading.ts'
import { columnNames } from './csv-column-names.ts'
import { type CsvRow, makeCsvRows } from './csv-rows.ts'
import { detectEncoding } from './detect-encoding.ts'
import { makeFits } from './value-formats.ts'

export interface CsvBeginning {
  bytes: Uint8Array
  /** Whether these are all bytes of the file. Otherwise, the last row is incomplete and not used. */
  isWhole: boolean
}

export interface DetectedCsv {
  reading: CsvReading
  names: string[]
  /** The first rows, without the header. */
  rows: CsvRow[]
}

/** Detects what is not given. */
export function detectReading({ bytes, isWhole }: CsvBeginning, given: Partial<CsvReading> = {}): DetectedCsv {
  const encoding = given.encoding ?? detectEncoding(bytes)
  const text = decodeBeginning(bytes, encoding)
  const delimiter = given.delimiter ?? detectDelimiter(text)
  const all = rowsOf(text, delimiter, isWhole)
  const width = all[0]?.values.length ?? 0
  const format = detectFormat(columnsOf(all.slice(1), width), { delimiter, ...given })
  const hasHeader = given.hasHeader ?? isHeader(all, format)
  const rows = hasHeader ? all.slice(1) : all
  const layout: CsvLayout = { encoding, delimiter, hasHeader, ...format }
  const types = given.types?.length === width ? given.types : columnsOf(rows, width).map((values) => detectType(values, format))
  return { reading: { ...layout, types }, names: columnNames(hasHeader ? all[0]?.values : undefined, width), rows }
}

const decodeBeginning = (bytes: Uint8Array, encoding: Encoding) => new TextDecoder(encoding).decode(bytes, { stream: true })

function rowsOf(text: string, delimiter: Delimiter, isWhole: boolean): CsvRow[] {
  const reader = makeCsvRows(delimiter)
  const rows = reader.push(text)
  return isWhole ? [...rows, ...reader.end()] : rows
}

const columnsOf = (rows: CsvRow[], width: number) =>
  Array.from({ length: width }, (_, index) => rows.map(({ values }) => values[index] ?? ''))

/** A file with a single column has none, so one that occurs in no value is used. */
const detectDelimiter = (text: string) =>
  (readFirstLine(text).delimiter as Delimiter | undefined) ?? delimiters.find((each) => !text.includes(each)) ?? ','

type NumberFormat = Pick<ValueFormat, 'decimalSign' | 'thousandsSeparator'>

const english: NumberFormat = { decimalSign: '.', thousandsSeparator: ',' }

/** In order of preference, if several read equally many columns. A comma that separates values rarely marks decimals. */
const numberFormats = (delimiter: Delimiter): NumberFormat[] => [
  { decimalSign: '.', thousandsSeparator: '' },
  ...(delimiter === ',' ? [english] : []),
  { decimalSign: ',', thousandsSeparator: '' },
  { decimalSign: ',', thousandsSeparator: '.' },
  ...(delimiter === ',' ? [] : [english]),
  { decimalSign: ',', thousandsSeparator: ' ' },
  { decimalSign: '.', thousandsSeparator: ' ' },
  { decimalSign: '.', thousandsSeparator: "'" },
  { decimalSign: ',', thousandsSeparator: "'" },
]

function detectFormat(columns: string[][], given: Partial<ValueFormat> & { delimiter: Delimiter }): ValueFormat {
  const { delimiter, decimalSign, thousandsSeparator, dateOrder } = given
  const candidates = numberFormats(delimiter)
    .map((each) => ({
      decimalSign: decimalSign ?? each.decimalSign,
      thousandsSeparator: thousandsSeparator ?? each.thousandsSeparator,
    }))
    .filter((each) => each.decimalSign !== each.thousandsSeparator)
  const numbers = mostColumns(candidates, columns, 'number', (each) => ({ ...each, dateOrder: 'ymd' }))
  // A sign that was given may leave no candidate; then numbers have no separator.
  const format = numbers ?? { decimalSign: decimalSign ?? '.', thousandsSeparator: '' }
  const order = dateOrder ?? mostColumns<DateOrder>(dateOrders, columns, 'timestamp', (each) => ({ ...format, dateOrder: each }))
  return { ...format, dateOrder: order ?? 'ymd' }
}

function mostColumns<Choice>(
  choices: readonly Choice[],
  columns: string[][],
  type: ColumnType,
  formatOf: (choice: Choice) => ValueFormat,
): Choice | undefined {
  const counts = choices.map((choice) => {
    const fits = makeFits(type, formatOf(choice))
    return columns.filter((values) => values.some(isFilled) && values.every(fits)).length
  })
  return choices[counts.indexOf(Math.max(...counts))]
}

const isFilled = (text: string) => text.trim() !== ''

/** Digits such as 01234 are a code that would lose its zeros as a number, and very long ones would lose their end. */
const isCode = (text: string) => /^0\d|^[+-]?\d{19,}$/.test(text.trim())

const detectedTypes: ColumnType[] = ['boolean', 'integer', 'number', 'date', 'timestamp']

export function detectType(values: string[], format: ValueFormat): ColumnType {
  if (!values.some(isFilled)) return 'text'
  const type = detectedTypes.find((each) => values.every(makeFits(each, format))) ?? 'text'
  return (type === 'integer' || type === 'number') && values.some(isCode) ? 'text' : type
}

/** The first row is a header if each of its values is a text, or if one of them does not fit the type of the column below. */
function isHeader([first, ...rest]: CsvRow[], format: ValueFormat): boolean {
  if (!first) return true
  const isText = first.values.every((value) => detectType([value], format) === 'text')
  if (isText) return true
  return columnsOf(rest, first.values.length).some((values, index) => {
    const type = detectType(values, format)
    return type !== 'text' && isFilled(first.values[index]!) && !makeFits(type, format)(first.values[index]!)
  })
}
