import type { QueryResult } from '@querypost/client'

/** The beginning of a result: all of it, or its first rows. */
export interface FirstRows extends Pick<QueryResult, 'fields' | 'rows'> {
  /** Of the whole result; undefined where only its beginning was read. */
  rowCount: number | undefined
}

/**
 * Reads the first rows of a result from its JSON, and no further: a result may be larger than memory, and a terminal
 * shows fifty rows. Rows end where the nesting returns to the list of rows; brackets in texts do not count.
 */
export async function readFirstRows(stream: ReadableStream<Uint8Array>, rowsMax: number): Promise<FirstRows> {
  const decoder = new TextDecoder()
  let text = ''
  let at = 0
  let depth = 0
  let isInText = false
  let isAfterFields = false
  let rowCount = 0
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true })
    for (; at < text.length; at++) {
      const letter = text[at]
      if (isInText) {
        if (letter === '\\') {
          // The escaped letter may come with the next piece.
          if (at + 1 >= text.length) break
          at++
        } else if (letter === '"') isInText = false
        continue
      }
      if (letter === '"') isInText = true
      else if (letter === '[' || letter === '{') depth++
      else if (letter === ']' || letter === '}') {
        depth--
        if (depth === 1) isAfterFields = true
        if (!isAfterFields || depth !== 2 || letter !== ']') continue
        rowCount++
        // Leaving the loop also ends the request.
        if (rowCount === rowsMax) return { ...parse(`${text.slice(0, at + 1)}]}`), rowCount: undefined }
      }
    }
  }
  return parse(text + decoder.decode()) as QueryResult
}

const parse = (text: string) => JSON.parse(text) as Pick<QueryResult, 'fields' | 'rows'>
