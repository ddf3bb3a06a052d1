import { csvOptions, csvMessage, encodingOf, readFirstLine } from './import-csv.ts'
import { findCsvFault } from './csv-fault.ts'
import { ImportFault } from './import-fault.ts'
import { readBeginning, readChunks } from './source-file.ts'
import type { SourceReading } from './source-reading.ts'

export async function readCsv({ path, make, messageOf, asFault }: SourceReading): Promise<void> {
  const bytes = await readBeginning(path)
  rejectOtherFormats(bytes)
  const encoding = encodingOf(bytes)
  const decoder = encoding === 'utf-16' ? 'utf-16le' : 'utf-8'
  const firstLine = readFirstLine(new TextDecoder(decoder).decode(bytes))
  const options = csvOptions(firstLine, encoding)
  try {
    await make('read_csv', options)
  } catch (first) {
    // DuckDB guesses types from the first lines. If a later line does not match, retry with all lines before rejecting the file.
    if (!messageOf(first).startsWith('Conversion Error')) throw await explain(first)
    await make('read_csv', [...options, 'sample_size = -1']).catch(async (error: unknown) => {
      throw await explain(error)
    })
  }

  async function explain(error: unknown): Promise<ImportFault> {
    const fault = asFault(error, csvMessage)
    if (fault.kind !== 'file') return fault
    const chunks = encoding === 'utf-16' ? inUtf8(readChunks(path), decoder) : readChunks(path)
    return (await findCsvFault(chunks, firstLine)) ?? fault
  }
}

async function* inUtf8(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
}

/** Recognizes files that people mistake for CSV by their first bytes. */
export function rejectOtherFormats(beginning: Buffer): void {
  const mark = beginning.subarray(0, 4).toString('latin1')
  if (mark === '') throw new ImportFault('file', 'The file is empty.')
  if (mark === 'PAR1') throw new ImportFault('file', 'This is a Parquet file. Upload it as Parquet.')
  if (mark === 'PK\u0003\u0004') {
    throw new ImportFault('file', 'This is a workbook or a zip archive. Upload a workbook as .xlsx, or unpack the archive.')
  }
}
