/**
 * Reads the beginning of a result, `{"fields":[…],"rows":[[…],[…],…],"rowCount":N}`, and leaves the rest unread. A result may
 * hold millions of rows; a page that shows a few hundred of them must not pay for all.
 */
export interface Field {
  name: string
  type: 'integer' | 'number' | 'decimal' | 'string' | 'boolean' | 'date' | 'timestamp' | 'json'
}

export interface FirstRows {
  fields: Field[]
  rows: unknown[][]
}

export async function readFirstRows(body: ReadableStream<Uint8Array>, limit: number): Promise<FirstRows> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const findEnd = rowEndFinder(limit)
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    const piece = decoder.decode(value, { stream: !done })
    const end = findEnd(piece)
    if (end !== undefined) {
      // What is left is not wanted, so neither is how its sending ends.
      void reader.cancel().catch(() => undefined)
      return parse(`${text}${piece.slice(0, end)}]}`)
    }
    text += piece
    if (done) return parse(text)
  }
}

function parse(text: string): FirstRows {
  const { fields, rows } = JSON.parse(text) as FirstRows
  return { fields, rows }
}

/** Depths in the text above: 1 the object, 2 `fields` and later `rows`, 3 a field and later a row. */
const rowDepth = 3

/** Takes the text piece by piece; answers with the place just after the last wanted row, once that has come by. */
function rowEndFinder(limit: number): (piece: string) => number | undefined {
  let depth = 0
  let isInString = false
  let isEscaped = false
  let rowsSeen = 0
  return (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at]
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (character === '\\') isEscaped = true
        else if (character === '"') isInString = false
      } else if (character === '"') isInString = true
      else if (character === '[' || character === '{') depth++
      else if (character === ']' || character === '}') {
        // Fields are objects, rows are lists.
        if (depth === rowDepth && character === ']' && ++rowsSeen === limit) return at + 1
        depth--
      }
    }
    return undefined
  }
}
