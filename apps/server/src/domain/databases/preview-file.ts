import type { Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import type { CsvReading } from '../../engines/duckdb/import/csv/csv-reading.ts'
import { detectReading } from '../../engines/duckdb/import/csv/detect-reading.ts'
import { makeFits } from '../../engines/duckdb/import/csv/value-formats.ts'
import { ImportFault } from '../../engines/duckdb/import/import-fault.ts'
import { rejectOtherFormats } from '../../engines/duckdb/import/read-csv.ts'
import { isGzip } from '../../engines/duckdb/import/source-file.ts'
import type { Caller } from '../../model/caller.ts'
import { cutText } from '../../ports/cut-text.ts'
import type { Db } from '../../store/db.ts'
import { getWritableDatabase } from './get-writable-database.ts'
import { asRefusal } from './import-refusals.ts'

export interface FilePreview {
  reading: CsvReading
  columns: { name: string; misfit: { line: number; value: string } | null }[]
  rows: string[][]
  /** Of a workbook. */
  sheets: string[]
}

export interface FileToPreview {
  configId: string
  bytes: Readable
  given: Partial<CsvReading>
}

/** Enough to detect how a file is read. The rest of the file is not sent for a preview. */
export const beginningMaxBytes = 1024 * 1024

const shownRows = 20
const shownCharacters = 200
const columnsMax = 1000

/** Shows how the beginning of a CSV file is read, with what the caller has chosen and the rest detected. Stores nothing. */
export async function previewFile(
  deps: { db: Db },
  caller: Caller,
  input: FileToPreview & { isWhole: boolean },
): Promise<FilePreview> {
  await getWritableDatabase(deps, caller, input.configId)
  try {
    const beginning = await readBeginning(input.bytes, input.isWhole)
    rejectOtherFormats(beginning.bytes)
    return { ...preview(beginning, input.given), sheets: [] }
  } catch (error) {
    throw asRefusal(error, { table: '', wasCanceled: false })
  }
}

/** Values that do not fit are named by the line of a file, or by the number of the row in a sheet. */
export function preview(
  beginning: { bytes: Buffer; isWhole: boolean },
  given: Partial<CsvReading>,
  place: 'line' | 'number' = 'line',
): Omit<FilePreview, 'sheets'> {
  const { reading, names, rows } = detectReading(beginning, given)
  if (names.length === 0) throw new ImportFault('file', 'The first line of the file is empty or longer than 1 MiB.')
  if (names.length > columnsMax) {
    throw new ImportFault('file', `The file has ${names.length} columns. A preview shows up to ${columnsMax}.`)
  }
  const columns = names.map((name, index) => {
    const fits = makeFits(reading.types[index]!, reading)
    const found = rows.find(({ values }) => !fits(values[index] ?? ''))
    return { name, misfit: found ? { line: found[place], value: shorten(found.values[index]!) } : null }
  })
  return { reading, columns, rows: rows.slice(0, shownRows).map(({ values }) => values.map(shorten)) }
}

const shorten = (text: string) => cutText(text, shownCharacters).text

async function readBeginning(sent: Readable, isWhole: boolean): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const received = await readUpTo(sent, beginningMaxBytes)
  if (!isGzip(received.bytes)) return { bytes: received.bytes, isWhole: isWhole && received.isWhole }
  return unpackBeginning(received.bytes, isWhole && received.isWhole)
}

/** Bytes cut off at the end are no error here. The import checks the whole file. */
async function unpackBeginning(packed: Buffer, isWhole: boolean): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const unpacking = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
  unpacking.end(packed)
  try {
    const unpacked = await readUpTo(unpacking, beginningMaxBytes)
    return { bytes: unpacked.bytes, isWhole: isWhole && unpacked.isWhole }
  } catch (error) {
    throw new ImportFault('file', `The file is compressed with gzip and cannot be decompressed: ${(error as Error).message}.`)
  }
}

async function readUpTo(chunks: AsyncIterable<unknown>, maxBytes: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const pieces: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of chunks) {
    pieces.push(chunk as Buffer)
    sizeBytes += (chunk as Buffer).length
    if (sizeBytes > maxBytes) break
  }
  return { bytes: Buffer.concat(pieces).subarray(0, maxBytes), isWhole: sizeBytes <= maxBytes }
}
