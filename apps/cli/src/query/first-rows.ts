import type { QueryResult } from '@querypost/client'

/** A result, or its first rows. */
export interface FirstRows extends Pick<QueryResult, 'fields' | 'rows'> {
  /** The number of rows in the whole result; undefined if only the first were read. */
  rowCount: number | undefined
}

/**
 * Reads the first rows from the JSON of a result and stops, since a result may be larger than memory. A row ends where the nesting
 * returns to the list of rows; brackets inside strings don't count.
 */
export async function readFirstRows(stream: ReadableStream<Uint8Array>, maxRows: number): Promise<FirstRows> {
  const decoder = new TextDecoder()
  let text = ''
  let at = 0
  let depth = 0
  let isInString = false
  let isAfterFields = false
  let rowCount = 0
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true })
    for (; at < text.length; at++) {
      const character = text[at]
      if (isInString) {
        if (character === '\\') {
          // The escaped character may be in the next chunk.
          if (at + 1 >= text.length) break
          at++
        } else if (character === '"') isInString = false
        continue
      }
      if (character === '"') isInString = true
      else if (character === '[' || character === '{') depth++
      else if (character === ']' || character === '}') {
        depth--
        if (depth === 1) isAfterFields = true
        if (!isAfterFields || depth !== 2 || character !== ']') continue
        rowCount++
        // Returning also cancels the request.
        if (rowCount === maxRows) return { ...parse(`${text.slice(0, at + 1)}]}`), rowCount: undefined }
      }
    }
  }
  return parse(text + decoder.decode()) as QueryResult
}

const parse = (text: string) => JSON.parse(text) as Pick<QueryResult, 'fields' | 'rows'>
