/**
 * Reads a large JSON document piece by piece, and yields the values at a depth of it, each as text: the entries of `nodes` in
 * `{ "manifest": { "nodes": { … } } }` are at depth 3. Everything that is larger than one entry is never in memory at once.
 */
export interface JsonEntry {
  /** The keys that lead to the value. Elements of arrays have the key `''`. */
  path: string[]
  text: string
}

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
}

export async function* readJsonEntries(
  pieces: AsyncIterable<Uint8Array>,
  options: { depthOf(path: readonly string[]): number; entryMaxBytes: number },
): AsyncGenerator<JsonEntry> {
  const scanner = makeScanner(options)
  for await (const piece of pieces) yield* scanner.scan(piece)
  scanner.end()
}

const code = (character: string) => character.charCodeAt(0)
const quote = code('"')
const backslash = code('\\')
const isOpening = (byte: number) => byte === code('{') || byte === code('[')
const isClosing = (byte: number) => byte === code('}') || byte === code(']')
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function makeScanner({ depthOf, entryMaxBytes }: { depthOf(path: readonly string[]): number; entryMaxBytes: number }) {
  /** The containers that are open around the current position, with the key of the value that is being read in each. */
  const open: { isObject: boolean; key: string }[] = []
  let isInString = false
  let isEscaped = false
  /** True where an object expects a key. */
  let expectsKey = false
  /** Set while a value is being collected: the number of containers around it. */
  let collectedAt: number | undefined
  let collected: Uint8Array[] = []
  let collectedBytes = 0
  let key: number[] | undefined
  let hasStarted = false

  const path = () => open.map((each) => each.key)

  function take(bytes: Uint8Array) {
    collectedBytes += bytes.length
    if (collectedBytes > entryMaxBytes) throw new JsonSyntaxError(`The entry ${path().join('.')} is too large.`)
    collected.push(bytes.slice())
  }

  function finish(): JsonEntry {
    const entry = { path: path(), text: Buffer.concat(collected).toString('utf8').trim() }
    collectedAt = undefined
    collected = []
    collectedBytes = 0
    return entry
  }

  function* scan(piece: Uint8Array): Generator<JsonEntry> {
    let start = collectedAt === undefined ? undefined : 0
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isInString = false
        if (key && isInString) key.push(byte)
        if (key && !isInString) {
          open.at(-1)!.key = keyText(key)
          key = undefined
          expectsKey = false
        }
        continue
      }
      if (isSpace(byte)) continue
      if (!hasStarted && byte !== code('{')) throw new JsonSyntaxError('The file is not a JSON object.')
      hasStarted = true
      if (byte === quote && expectsKey && collectedAt === undefined) {
        isInString = true
        key = []
        continue
      }
      const endsValue = collectedAt !== undefined && open.length === collectedAt && (byte === code(',') || isClosing(byte))
      if (endsValue) {
        take(piece.subarray(start, at))
        start = undefined
        yield finish()
      }
      if (collectedAt === undefined && byte !== code(',') && byte !== code(':') && !isClosing(byte) && open.length > 0) {
        if (open.length === depthOf(path())) {
          collectedAt = open.length
          start = at
        }
      }
      if (byte === quote) isInString = true
      else if (isOpening(byte)) {
        open.push({ isObject: byte === code('{'), key: '' })
        expectsKey = byte === code('{')
      } else if (isClosing(byte)) {
        if (!open.pop()) throw new JsonSyntaxError('The file is not valid JSON.')
        expectsKey = false
      } else if (byte === code(',')) expectsKey = open.at(-1)?.isObject === true
    }
    if (collectedAt !== undefined) take(piece.subarray(start))
  }

  function end() {
    if (!hasStarted || open.length > 0 || isInString) throw new JsonSyntaxError('The file ends too early.')
  }
  return { scan, end }
}

function keyText(bytes: number[]): string {
  try {
    return JSON.parse(`"${Buffer.from(bytes).toString('utf8')}"`) as string
  } catch {
    throw new JsonSyntaxError('The file is not valid JSON.')
  }
}
