/**
 * Detects JSON that a program parsed and serialized again. Querypost writes events without white space, with the keys in documented
 * order and with the fewest escapes, so the original can be reconstructed from the parsed value.
 */
export interface Reserialization {
  value: unknown
  /** As Querypost would have written it. Undefined if the text is not JSON or already has that form. */
  original: string | undefined
  /** The same with the keys in documented order. */
  inOrder: string | undefined
  /** Continues the sentence "The body …". */
  change: string
}

const order = [
  'id',
  'type',
  'createdAt',
  'data',
  'automationId',
  'automationName',
  'runId',
  'summary',
  'chatUrl',
  'imageUrl',
  'reason',
]

export function describeReserialization(text: string): Reserialization {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { value: undefined, original: undefined, inOrder: undefined, change: 'is not JSON' }
  }
  const compact = JSON.stringify(value)
  const ordered = JSON.stringify(reordered(value))
  return {
    value,
    original: compact === text ? undefined : compact,
    inOrder: ordered === compact ? undefined : ordered,
    change: `was parsed and serialized again ${describe(text.trimEnd(), value)}`,
  }
}

function describe(text: string, value: unknown): string {
  const indents = [2, 4, 3, 8, 1, '\t'] as const
  const indent = indents.find((one) => JSON.stringify(value, null, one) === text.replaceAll('\r\n', '\n'))
  if (indent !== undefined)
    return `with line breaks and ${indent === '\t' ? 'tabs' : `${indent} spaces`} (pretty-printed)`
  const compact = JSON.stringify(value)
  const escapedSlashes = compact.replaceAll('/', String.raw`\/`)
  if (text === escapedSlashes) return String.raw`with \/ for / (as PHP’s json_encode does)`
  const ascii = escapedToAscii(compact)
  if (text === ascii || text === escapedToAscii(escapedSlashes)) return String.raw`with \u… for characters beyond ASCII`
  if (text === escapedForHtml(compact)) return String.raw`with \u003c for < (as Go’s encoding/json does)`
  if (/^\{"[^"]+": /.test(text)) return 'with spaces after colons and commas (as Python’s json.dumps does)'
  return 'in another form'
}

const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
const escapedToAscii = (text: string) => text.replaceAll(/[\u0080-\uffff]/g, escape)
const escapedForHtml = (text: string) => text.replaceAll(/[<>&\u2028\u2029]/g, escape)

const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length)

function reordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reordered)
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [key, reordered(one)])
  return Object.fromEntries(entries.sort(([a], [b]) => rank(a) - rank(b)))
}
