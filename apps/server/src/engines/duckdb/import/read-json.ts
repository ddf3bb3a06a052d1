import { open } from 'node:fs/promises'
import { ImportFault } from './import-fault.ts'
import { findJsonFault } from './json-fault.ts'
import type { JsonLayout } from './json-pieces.ts'
import { readBeginning, readChunks } from './source-file.ts'
import type { SourceReading } from './source-reading.ts'

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * One object a row: JSON lines; or, where lines are not insisted on, an array of objects, or objects one after the
 * other.
 */
export async function readJson(reading: SourceReading, format: 'json' | 'jsonl'): Promise<void> {
  const { path, make, wordsOf, asFault } = reading
  const beginning = await readBeginning(path)
  if (beginning.subarray(0, 3).equals(byteOrderMark)) await blankMark(path)
  const layout = layoutOf(beginning, format)
  const options = [`format = '${duckdbFormats[layout]}'`, `records = 'true'`, `compression = 'uncompressed'`]
  const attempts = [
    options,
    // Types and names are those of the first 20,480 rows. Where a later one has others, all rows are looked at.
    [...options, 'sample_size = -1'],
    // Rows of very many names look to DuckDB like values of one map.
    [...options, 'sample_size = -1', 'map_inference_threshold = -1'],
  ]
  for (const [index, attempt] of attempts.entries()) {
    try {
      return await make('read_json', attempt)
    } catch (error) {
      const words = wordsOf(error)
      const mayHelp = /JSON transform error|expected records/.test(words) && !words.includes('duplicate key')
      if (mayHelp && index < attempts.length - 1) continue
      const fault = asFault(error, jsonWords)
      throw (fault.kind === 'file' && (await findJsonFault(readChunks(path), layout))) || fault
    }
  }
}

function layoutOf(beginning: Buffer, format: 'json' | 'jsonl'): JsonLayout {
  if (beginning.length === 0) throw new ImportFault('file', 'The file is empty.')
  if (format === 'jsonl') return 'lines'
  return /^\uFEFF?\s*\[/.test(beginning.toString()) ? 'array' : 'values'
}

const duckdbFormats = { lines: 'newline_delimited', array: 'array', values: 'unstructured' }

/** Windows writes one in front of UTF-8, and DuckDB takes none. The file is a copy that nobody else reads. */
async function blankMark(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.write('   ', 0)
  } finally {
    await file.close()
  }
}

const jsonWords = (words: string) =>
  `The file cannot be read as JSON: ${words.replace(/^[\w ]+ Error: /, '').split('\n')[0]}`
