import type { ColumnType, CsvReading } from '../../api/file-preview.ts'

export const encodingLabels: Record<CsvReading['encoding'], string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  'iso-8859-15': 'ISO-8859-15',
}

export const delimiterLabels: Record<CsvReading['delimiter'], string> = {
  ',': 'Comma (,)',
  ';': 'Semicolon (;)',
  '\t': 'Tab',
  '|': 'Bar (|)',
}

export const decimalLabels: Record<CsvReading['decimalSign'], string> = { '.': 'Point: 0.5', ',': 'Comma: 0,5' }

export const thousandsLabels: Record<CsvReading['thousandsSeparator'], string> = {
  '': 'None: 1000',
  '.': 'Point: 1.000',
  ',': 'Comma: 1,000',
  ' ': 'Space: 1 000',
  "'": 'Apostrophe: 1’000',
}

export const dateOrderLabels: Record<CsvReading['dateOrder'], string> = {
  ymd: '2026-12-31',
  dmy: '31.12.2026',
  mdy: '12/31/2026',
}

export const typeLabels: Record<ColumnType, string> = {
  text: 'Text',
  integer: 'Integer',
  number: 'Number',
  boolean: 'True or false',
  date: 'Date',
  timestamp: 'Date and time',
}
