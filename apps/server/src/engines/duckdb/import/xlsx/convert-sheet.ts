import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ImportFault } from '../import-fault.ts'
import { readWorkbook } from './workbook.ts'
import { type SheetRow, sheetRows } from './sheet-rows.ts'
import { xmlEvents } from './xml-events.ts'
import { openZip } from './zip-file.ts'

export interface SheetConversion {
  file: string
  /** The first sheet if undefined. */
  sheet?: string | undefined
  /** The CSV file that is written: UTF-8, with commas, and with one record for each row of the sheet. */
  output: string
  maxMb: number
  maxRows?: number | undefined
}

/** Writes a sheet as CSV, and returns the names of all sheets. */
export async function convertSheet(conversion: SheetConversion): Promise<string[]> {
  const { file, sheet, output, maxMb, maxRows = Infinity } = conversion
  const zip = await openZip(file, { maxMb })
  const workbook = await readWorkbook(zip)
  const found = sheet === undefined ? workbook.sheets[0] : workbook.sheets.find(({ name }) => name === sheet)
  if (!found) throw new ImportFault('file', `The workbook has no sheet named ${JSON.stringify(sheet)}.`)
  const rows = sheetRows(xmlEvents(zip.texts(found.entry)), workbook)
  await pipeline(csvOf(rows, maxRows), createWriteStream(output))
  return workbook.sheets.map(({ name }) => name)
}

/** As in every spreadsheet program. */
const rowsMax = 1_048_576

async function* csvOf(rows: AsyncIterable<SheetRow>, maxRows: number): AsyncGenerator<string> {
  let width = 0
  let count = 0
  let nextNumber = 1
  for await (const { number, values } of rows) {
    if (!(number >= nextNumber && number <= rowsMax)) throw new ImportFault('file', 'The workbook is damaged: its rows are not in order. Save it as .xlsx again.')
    width ||= values.length
    if (values.length > width) {
      const wrong = `has ${values.length} columns where the first row with values has ${width}`
      throw new ImportFault('file', `Row ${number} of the sheet ${wrong}. Name all columns in that row, or remove the extra values.`)
    }
    // Blank lines keep the numbers of rows.
    const blank = '\n'.repeat(number - nextNumber)
    nextNumber = number + 1
    yield `${blank}${Array.from({ length: width }, (_, index) => quoted(values[index] ?? '')).join(',')}\n`
    if (++count >= maxRows) return
  }
  if (count === 0) throw new ImportFault('file', 'The sheet is empty.')
}

const quoted = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
