/**
 * A result may contain JSON of any depth: databases write it without recursion. Almost everything that reads values is recursive,
 * including `JSON.stringify`, and overflows its stack at thousands of levels. So all readers of rows use `parseRows`, which
 * replaces values that are nested too deeply with a message.
 *
 * *Nesting* counts the brackets and braces that are open at the same time within one value: `[{"a":1}]` nests 2 deep.
 */

/** Far beyond handwritten and recorded JSON, far below what overflows a stack. Many JSON parsers stop earlier. */
export const maxNesting = 100

export const nestedTooDeeply = `JSON nested more than ${maxNesting} levels deep is not shown. Download the result to see it.`

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The text is `[[…],[…]]`: depth 1 is the list of rows, 2 a row. */
const rowDepth = 2

/** Rows from their JSON text, `[[…],[…]]`. */
export function parseRows(text: string): unknown[][] {
  return JSON.parse(withoutDeepValues(text)) as unknown[][]
}

/** The same rows, with values that are nested too deeply replaced by `nestedTooDeeply`. */
export function withoutDeepValues(rows: string): string {
  let depth = 0
  let valueStart = 0
  let isDeep = false
  let copiedTo = 0
  const kept: string[] = []

  function endValue(at: number) {
    if (isDeep) {
      kept.push(rows.slice(copiedTo, valueStart), JSON.stringify(nestedTooDeeply))
      copiedTo = at
    }
    isDeep = false
    valueStart = at + 1
  }

  for (let at = 0; at < rows.length; at++) {
    const code = rows.charCodeAt(at)
    if (code === quote) at = stringEnd(rows, at)
    else if (code === openBracket || code === openBrace) {
      depth++
      if (depth === rowDepth) valueStart = at + 1
      else if (depth > rowDepth + maxNesting) isDeep = true
    } else if (code === closeBracket || code === closeBrace) {
      if (depth === rowDepth) endValue(at)
      depth--
    } else if (code === comma && depth === rowDepth) endValue(at)
  }
  return kept.length === 0 ? rows : kept.join('') + rows.slice(copiedTo)
}

/** Whether one value, given as JSON, is nested too deeply. */
export function isNestedTooDeeply(json: string): boolean {
  const row = `[[${json}]]`
  return withoutDeepValues(row) !== row
}

/** The position of the closing quote of the string that starts here; the end of the text if there is none. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text.charCodeAt(before - 1) === backslash) before--
    if ((at - before) % 2 === 0) return at
  }
  return text.length
}
