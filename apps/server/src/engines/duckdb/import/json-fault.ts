/**
 * Finds the row that makes a JSON file unreadable, for the same reason as `csv-fault.ts`: DuckDB does not count blank lines or the
 * lines of an array, and is off by one when it finds the fault while detecting types.
 */
import { isUtf8 } from 'node:buffer'
import { faultInLine, ImportFault } from './import-fault.ts'
import { type JsonLayout, type JsonPiece, jsonPieces, pieceMaxBytes } from './json-pieces.ts'

export async function findJsonFault(
  chunks: AsyncIterable<Buffer>,
  layout: JsonLayout,
): Promise<ImportFault | undefined> {
  let hasValues = false
  for await (const piece of jsonPieces(chunks, layout)) {
    const fault = faultOfPiece(piece, layout)
    if (fault) return fault
    hasValues ||= piece.bytes.includes(':')
  }
  return hasValues ? undefined : new ImportFault('file', 'The file contains no JSON object with a name and a value.')
}

function faultOfPiece(piece: JsonPiece, layout: JsonLayout): ImportFault | undefined {
  const { line, bytes } = piece
  const text = bytes.toString()
  const fault = (wrong: string, remedy = remedies[layout]) => faultInLine({ line, wrong, text, remedy })
  if (bytes.length > pieceMaxBytes) {
    return fault(`its row is larger than ${pieceMaxBytes / 1024 / 1024} MiB`, remedies.tooLarge)
  }
  if (!isUtf8(bytes)) return fault('it is not encoded in UTF-8', 'Save the file as UTF-8 and upload it again.')
  if (piece.isCutOff) return fault('the file ends before this value is complete')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const { lines, reason } = locateSyntaxError(text, error as SyntaxError)
    const shown = lines === 0 ? text : text.split('\n')[lines]!
    const wrong = `it is not valid JSON (${reason})`
    return faultInLine({ line: line + lines, wrong, text: shown, remedy: remedies[layout] })
  }
  // Like an empty object, `null` is a row without values.
  if (typeof value !== 'object' || Array.isArray(value)) return fault('it is not a JSON object')
  if (keysWritten(text) !== keysOf(value)) return fault('a name occurs twice in one object', 'Keep one of the two.')
  return undefined
}

const example = 'such as {"id": 1, "name": "Ann"}'
const remedies = {
  lines: `Write each row as one JSON object on its own line, ${example}. If the file is an array of objects, upload it as .json.`,
  array: `Write the file as an array of JSON objects, each ${example}.`,
  values: `Write each row as a JSON object, ${example}.`,
  tooLarge: 'Split the value, or leave it out.',
}

/** The line offset where the parser stopped, if it says so, and its reason without the quoted text. */
function locateSyntaxError(text: string, { message }: SyntaxError): { lines: number; reason: string } {
  const position = Number(/ at position (\d+)/.exec(message)?.[1] ?? 0)
  const reason = message
    .replace(/,? (\.\.\.)?"[^]*$/, '')
    .replace(/( in JSON)? at position \d+[^]*$/, '')
    .replace(/token '\s'/, 'end of a line')
  return { lines: text.slice(0, position).split('\n').length - 1, reason }
}

/** The number of member names in the text of a JSON value. */
function keysWritten(text: string): number {
  let count = 0
  for (const { 0: token } of text.matchAll(/"(?:[^"\\]|\\.)*"|:/g)) if (token === ':') count++
  return count
}

function keysOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const values = Object.values(value)
  const nested = values.reduce<number>((sum, each) => sum + keysOf(each), 0)
  return Array.isArray(value) ? nested : values.length + nested
}
