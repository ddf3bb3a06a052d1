import { csvOptions, csvWords, encodingOf, readFirstLine } from './import-csv.ts'
import { findCsvFault } from './csv-fault.ts'
import { ImportFault } from './import-fault.ts'
import { readBeginning, readChunks } from './source-file.ts'
import type { SourceReading } from './source-reading.ts'

export async function readCsv({ path, make, wordsOf, asFault }: SourceReading): Promise<void> {
  const bytes = await readBeginning(path)
  refuseOtherFormats(bytes)
  const encoding = encodingOf(bytes)
  const decoder = encoding === 'utf-16' ? 'utf-16le' : 'utf-8'
  const firstLine = readFirstLine(new TextDecoder(decoder).decode(bytes))
  const options = csvOptions(firstLine, encoding)
  try {
    await make('read_csv', options)
  } catch (first) {
    // Types are guessed from the first lines. Where a later one does not fit, all lines are looked at before the file
    // is refused.
    if (!wordsOf(first).startsWith('Conversion Error')) throw await explain(first)
    await make('read_csv', [...options, 'sample_size = -1']).catch(async (error: unknown) => {
      throw await explain(error)
    })
  }

  async function explain(error: unknown): Promise<ImportFault> {
    const fault = asFault(error, csvWords)
    if (fault.kind !== 'file') return fault
    const chunks = encoding === 'utf-16' ? inUtf8(readChunks(path), decoder) : readChunks(path)
    return (await findCsvFault(chunks, firstLine)) ?? fault
  }
}

async function* inUtf8(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
}

/** What people mistake for CSV has its own first bytes. */
function refuseOtherFormats(beginning: Buffer): void {
  const mark = beginning.subarray(0, 4).toString('latin1')
  if (mark === '') throw new ImportFault('file', 'The file is empty.')
  if (mark === 'PAR1') throw new ImportFault('file', 'This is a Parquet file. Send it as one.')
  if (mark === 'PK\u0003\u0004') {
    throw new ImportFault('file', 'This is a workbook or a zip archive. Save the sheet as CSV and send that.')
  }
}
