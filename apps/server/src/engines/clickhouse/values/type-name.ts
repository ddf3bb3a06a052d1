/** A type as ClickHouse writes it: `Map(String, Array(Nullable(UInt8)))` has the name `Map` and two parts. */
export interface TypeName {
  name: string
  parts: string[]
}

export function parseType(text: string): TypeName {
  const open = text.indexOf('(')
  if (open === -1 || !text.endsWith(')')) return { name: text, parts: [] }
  return { name: text.slice(0, open), parts: splitOutside(text.slice(open + 1, -1), ',') }
}

/** A member of a tuple: `Int64`, or with a name, `price Int64` or `` `unit price` Int64 ``. */
export function parseMember(part: string): { name: string | null; type: string } {
  const [first, ...rest] = splitOutside(part, ' ')
  if (first === undefined || rest.length === 0) return { name: null, type: part }
  const name = first.startsWith('`') ? first.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : first
  return { name, type: rest.join(' ') }
}

/** The text inside quotes, here a time zone name. */
export function unquote(part: string): string {
  return part.replace(/^'(.*)'$/s, '$1').replaceAll(/\\(.)/gs, '$1')
}

/** Splits at separators outside of brackets and quotes. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote: string | null = null
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (quote !== null) {
      if (character === '\\') at++
      else if (character === quote) quote = null
    } else if (character === "'" || character === '`') quote = character
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  parts.push(text.slice(start).trim())
  return parts.filter((part) => part !== '')
}
