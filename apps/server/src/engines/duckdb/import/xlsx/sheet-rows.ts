import { ImportFault } from '../import-fault.ts'
import { dateText, durationText } from './date-cells.ts'
import type { Workbook } from './workbook.ts'
import type { XmlEvent } from './xml-events.ts'

export interface SheetRow {
  /** As the spreadsheet shows it. */
  number: number
  values: string[]
}

export const columnsMax = 1000

/** The rows of a sheet that have values. Formulas count with their last result, errors as missing values. */
export async function* sheetRows(events: AsyncIterable<XmlEvent>, workbook: Workbook): AsyncGenerator<SheetRow> {
  let row: SheetRow = { number: 0, values: [] }
  let cell = { column: -1, type: '', style: 0 }
  let text = ''
  let isValue = false
  for await (const event of events) {
    if (event.kind === 'text') {
      if (isValue) text += event.text
    } else if (event.name === 'v' || event.name === 't') isValue = event.kind === 'open'
    else if (event.name === 'row') {
      if (event.kind === 'open') {
        row = { number: Number(event.attributes['r'] ?? row.number + 1), values: [] }
        cell = { column: -1, type: '', style: 0 }
      } else if (row.values.length > 0) yield row
    } else if (event.name === 'c' && event.kind === 'open') {
      const { r: place, t: type = 'n', s: style = '0' } = event.attributes
      cell = { column: place === undefined ? cell.column + 1 : columnOf(place), type, style: Number(style) }
      text = ''
    } else if (event.name === 'c') {
      const value = valueOf(text, cell, workbook)
      if (value === '') continue
      if (cell.column >= columnsMax) throw new ImportFault('too_large', `Row ${row.number} of the sheet has more than ${columnsMax} columns.`)
      while (row.values.length < cell.column) row.values.push('')
      row.values[cell.column] = value
    }
  }
}

/** The position of a cell such as C7: 2. */
function columnOf(place: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(place)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** Spreadsheet programs write characters that XML cannot contain as `_x000D_`. */
const unescaped = (text: string) =>
  text.replace(/_x(?!0000)([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

function valueOf(text: string, { type, style }: { type: string; style: number }, { texts, dayFormats, epoch }: Workbook): string {
  if (type === 's') return unescaped(texts[Number(text)] ?? '')
  if (type === 'str' || type === 'inlineStr') return unescaped(text)
  if (type === 'b') return text === '1' ? 'true' : 'false'
  if (type === 'e') return ''
  if (type === 'd') return text.replace('T', ' ')
  const dayFormat = type === 'n' && text !== '' ? dayFormats[style] : null
  if (dayFormat === 'moment') return dateText(Number(text), epoch) ?? text
  if (dayFormat === 'duration') return durationText(Number(text)) ?? text
  return text
}
