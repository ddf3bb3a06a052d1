/**
 * Walks through the text of rows, `[[1,"a"],[2,null]]`, value by value, without parsing the values: a JSON value may contain
 * a number that JavaScript cannot represent. The engines wrote the text without spaces between values.
 */
export interface ValueHandler {
  /** `text` is the value as JSON. */
  value(text: string, column: number): void
  rowEnd(): void
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The nesting depth of a row; the list of rows has depth 1. */
const rowDepth = 2

export function eachValue(rows: string, handler: ValueHandler): void {
  let depth = 0
  let from = 0
  let column = 0
  for (let at = 0; at < rows.length; at++) {
    const code = rows.charCodeAt(at)
    if (code === quote) at = stringEnd(rows, at)
    else if (code === openBracket || code === openBrace) {
      depth++
      if (depth === rowDepth) {
        from = at + 1
        column = 0
      }
    } else if (code === closeBracket || code === closeBrace) {
      if (depth === rowDepth) {
        // A result without columns has rows without values.
        if (at > from) handler.value(rows.slice(from, at), column)
        handler.rowEnd()
      }
      depth--
    } else if (code === comma && depth === rowDepth) {
      handler.value(rows.slice(from, at), column)
      column++
      from = at + 1
    }
  }
}

/** The position of the closing quote of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text.charCodeAt(before - 1) === backslash) before--
    if ((at - before) % 2 === 0) return at
  }
}

/** The content of a JSON string. */
export const unquoted = (json: string): string =>
  json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1)
