/**
 * Finds the row that keeps a JSON file from being read, for the same reason as `csv-fault.ts`: DuckDB counts neither
 * blank lines nor those of an array, and is one ahead where it finds the fault while it looks for types.
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
  return hasValues ? undefined : new ImportFault('file', 'The file holds no JSON object with a name and a value in it.')
}

function faultOfPiece(piece: JsonPiece, layout: JsonLayout): ImportFault | undefined {
  const { line, bytes } = piece
  const text = bytes.toString()
  const refuse = (wrong: string, remedy = remedies[layout]) => faultInLine({ line, wrong, text, remedy })
  if (bytes.length > pieceMaxBytes) {
    return refuse(`its row is larger than ${pieceMaxBytes / 1024 / 1024} MiB`, remedies.tooLarge)
  }
  if (!isUtf8(bytes)) return refuse('it is not encoded in UTF-8', 'Save the file as UTF-8 and send it again.')
  if (piece.isCutOff) return refuse('the file ends before what begins there is whole')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const { lines, reason } = placeIn(text, error as SyntaxError)
    const shown = lines === 0 ? text : text.split('\n')[lines]!
    const wrong = `it is no JSON (${reason})`
    return faultInLine({ line: line + lines, wrong, text: shown, remedy: remedies[layout] })
  }
  // A `null` is a row without values, as an empty object is.
  if (typeof value !== 'object' || Array.isArray(value)) return refuse('it is no JSON object')
  if (keysWritten(text) !== keysOf(value)) return refuse('a name stands twice in one object', 'Keep one of the two.')
  return undefined
}

const example = 'such as {"id": 1, "name": "Ann"}'
const remedies = {
  lines: `Write each row as one JSON object on a line of its own, ${example}. An array of them is sent as .json.`,
  array: `Write the file as an array of JSON objects, each ${example}.`,
  values: `Write each row as a JSON object, ${example}.`,
  tooLarge: 'Send such values by another way, or split them.',
}

/** How many lines further the parser stopped, where it tells, and its reason without the text that it repeats. */
function placeIn(text: string, { message }: SyntaxError): { lines: number; reason: string } {
  const position = Number(/ at position (\d+)/.exec(message)?.[1] ?? 0)
  const reason = message
    .replace(/,? (\.\.\.)?"[^]*$/, '')
    .replace(/( in JSON)? at position \d+[^]*$/, '')
    .replace(/token '\s'/, 'end of a line')
  return { lines: text.slice(0, position).split('\n').length - 1, reason }
}

/** How many names of members the text of a JSON value holds. */
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
