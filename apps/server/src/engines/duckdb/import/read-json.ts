import { open } from 'node:fs/promises'
import { ImportFault } from './import-fault.ts'
import { findJsonFault } from './json-fault.ts'
import type { JsonLayout } from './json-pieces.ts'
import { readBeginning, readChunks } from './source-file.ts'
import type { SourceReading } from './source-reading.ts'

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Reads one object per row. `jsonl` is JSON lines; `json` is an array of objects or a sequence of objects.
 */
export async function readJson(reading: SourceReading, format: 'json' | 'jsonl'): Promise<void> {
  const { path, make, messageOf, asFault } = reading
  const beginning = await readBeginning(path)
  if (beginning.subarray(0, 3).equals(byteOrderMark)) await blankByteOrderMark(path)
  const layout = layoutOf(beginning, format)
  const options = [`format = '${duckdbFormats[layout]}'`, `records = 'true'`, `compression = 'uncompressed'`]
  const attempts = [
    options,
    // DuckDB takes types and names from the first 20,480 rows. If a later row differs, retry with all rows.
    [...options, 'sample_size = -1'],
    // DuckDB takes rows with very many names for maps.
    [...options, 'sample_size = -1', 'map_inference_threshold = -1'],
  ]
  for (const [index, attempt] of attempts.entries()) {
    try {
      return await make('read_json', attempt)
    } catch (error) {
      const message = messageOf(error)
      const isWorthRetrying = /JSON transform error|expected records/.test(message) && !message.includes('duplicate key')
      if (isWorthRetrying && index < attempts.length - 1) continue
      const fault = asFault(error, jsonMessage)
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

/** Blanks the byte order mark that Windows puts before UTF-8, because DuckDB rejects it. The file is a private copy. */
async function blankByteOrderMark(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.write('   ', 0)
  } finally {
    await file.close()
  }
}

const jsonMessage = (message: string) =>
  `The file cannot be read as JSON: ${message.replace(/^[\w ]+ Error: /, '').split('\n')[0]}`
