/** How the values of a CSV file are read. Detected for the preview, changed by the person who uploads, and then used exactly as given. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-15'] as const
export type Encoding = (typeof encodings)[number]

export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

export const decimalSigns = ['.', ','] as const
export type DecimalSign = (typeof decimalSigns)[number]

/** A space also stands for the no-break spaces that spreadsheets write. */
export const thousandsSeparators = ['', '.', ',', ' ', "'"] as const
export type ThousandsSeparator = (typeof thousandsSeparators)[number]

/** Dates such as 2026-12-31 are read in any order. */
export const dateOrders = ['ymd', 'dmy', 'mdy'] as const
export type DateOrder = (typeof dateOrders)[number]

export const columnTypes = ['text', 'integer', 'number', 'boolean', 'date', 'timestamp'] as const
export type ColumnType = (typeof columnTypes)[number]

/** How numbers and dates are written. */
export interface ValueFormat {
  decimalSign: DecimalSign
  thousandsSeparator: ThousandsSeparator
  dateOrder: DateOrder
}

export interface CsvLayout extends ValueFormat {
  encoding: Encoding
  delimiter: Delimiter
  hasHeader: boolean
}

/** How the values of a sheet are written as CSV. */
export const sheetLayout = {
  encoding: 'utf-8',
  delimiter: ',',
  decimalSign: '.',
  thousandsSeparator: '',
  dateOrder: 'ymd',
} as const satisfies Omit<CsvLayout, 'hasHeader'>

export interface CsvReading extends CsvLayout {
  /** The type of each column, in the order of the file. */
  types: ColumnType[]
}
