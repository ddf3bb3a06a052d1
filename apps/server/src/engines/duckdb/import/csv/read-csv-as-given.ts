import { csvMessage } from '../import-csv.ts'
import { findCsvFault } from '../csv-fault.ts'
import { ImportFault } from '../import-fault.ts'
import { readBeginning, readChunks } from '../source-file.ts'
import type { SourceReading } from '../source-reading.ts'
import { columnNames } from './csv-column-names.ts'
import { conversions, isNotBlank, readingOptions } from './csv-conversions.ts'
import { detectReading } from './detect-reading.ts'
import { findMisfit, type MisfitPlace } from './csv-misfit.ts'
import { type CsvReading, sheetLayout } from './csv-reading.ts'
import { makeCsvRows } from './csv-rows.ts'
import { decodedTexts } from './decoded-file.ts'

/** Reads a CSV file, already in UTF-8, exactly as the person who uploaded it has chosen. */
export async function readCsvAsGiven(
  { path, make, asFault }: SourceReading,
  reading: CsvReading,
  place: MisfitPlace = 'line',
): Promise<void> {
  const { names, skippedLines } = firstRowIn(await readBeginning(path), reading)
  const isSingleColumnOfSheet = place === 'row' && names.length === 1
  try {
    const columns = conversions(reading, names)
    // A row of a sheet with a single column has a value, or it is blank.
    await make('read_csv', readingOptions(reading, { skippedLines }), { columns, ...(isSingleColumnOfSheet && { where: isNotBlank }) })
  } catch (error) {
    const fault = asFault(error, csvMessage)
    if (fault.kind !== 'file') throw fault
    const pattern = { delimiter: reading.delimiter, columnCount: names.length }
    throw (await findCsvFault(readChunks(path), pattern)) ?? (await findMisfit(decodedTexts(path, 'utf-8'), reading, place)) ?? fault
  }
}

/** Reads a sheet that was written as CSV (`../xlsx/convert-sheet.ts`). */
export async function readConvertedSheet(source: SourceReading, reading: CsvReading | undefined): Promise<void> {
  const detected = () => readBeginning(source.path).then((bytes) => detectReading({ bytes, isWhole: true }, sheetLayout).reading)
  await readCsvAsGiven(source, reading ?? (await detected()), 'row')
}

/** DuckDB would take a blank line above a single column for its header. */
function firstRowIn(beginning: Buffer, { delimiter, hasHeader, types }: CsvReading): { names: string[]; skippedLines: number } {
  const reader = makeCsvRows(delimiter)
  const text = new TextDecoder('utf-8').decode(beginning, { stream: true })
  const first = [...reader.push(text), ...reader.end()][0]
  if (!first) throw new ImportFault('file', 'The file is empty.')
  if (first.values.length !== types.length) {
    const counts = `The first line of the file has ${first.values.length} columns, and types were chosen for ${types.length}.`
    throw new ImportFault('file', `${counts} Choose the file again.`)
  }
  return { names: columnNames(hasHeader ? first.values : undefined, types.length), skippedLines: first.line - 1 }
}
