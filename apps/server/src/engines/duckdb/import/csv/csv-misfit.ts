import { withEllipsis } from '../../../../ports/cut-text.ts'
import { ImportFault } from '../import-fault.ts'
import { columnNames } from './csv-column-names.ts'
import type { ColumnType, CsvReading } from './csv-reading.ts'
import { type CsvRow, makeCsvRows } from './csv-rows.ts'
import { makeFits } from './value-formats.ts'

const descriptions: Record<ColumnType, string> = {
  text: 'text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date',
  timestamp: 'a date with a time',
}

/** A text file is counted in lines, a sheet in rows. */
export type MisfitPlace = 'line' | 'row'

/** Goes through a rejected file once more, and finds the first value that does not fit its column. */
export async function findMisfit(
  texts: AsyncIterable<string>,
  reading: CsvReading,
  place: MisfitPlace,
): Promise<ImportFault | undefined> {
  const reader = makeCsvRows(reading.delimiter)
  const check = makeCheck(reading, place)
  for await (const text of texts) {
    for (const row of reader.push(text)) {
      const fault = check(row)
      if (fault) return fault
    }
  }
  return reader.end().map(check).find((fault) => fault !== undefined)
}

function makeCheck(reading: CsvReading, place: MisfitPlace) {
  const fits = reading.types.map((type) => makeFits(type, reading))
  let names = reading.hasHeader ? undefined : columnNames(undefined, fits.length)
  return ({ line, number, values }: CsvRow): ImportFault | undefined => {
    if (!names) {
      names = columnNames(values, fits.length)
      return undefined
    }
    const index = fits.findIndex((each, at) => !each(values[at] ?? ''))
    if (index === -1) return undefined
    const value = JSON.stringify(withEllipsis(values[index]!, 100))
    const wrong = `${value} in the column ${names[index]} is not ${descriptions[reading.types[index]!]}`
    const where = place === 'line' ? `Line ${line} of the file` : `Row ${number} of the sheet`
    return new ImportFault('file', `${where} cannot be read: ${wrong}. Correct it, or import the column as text.`)
  }
}
