import { gzipSync } from 'node:zlib'
import type { Field, FieldType } from '../../src/model/result.ts'
import { readRawRows } from '../../src/results/read-rows.ts'

export const field = (name: string, type: FieldType): Field => ({ name, type })

/** An opened stored result. Values are JSON texts, as engines write them. */
export function storedRows(fields: Field[], rows: string[][]): ReturnType<typeof readRawRows> {
  const rowsText = rows.map((row) => `[${row.join(',')}]`).join(',')
  const bytes = gzipSync(`{"fields":${JSON.stringify(fields)},"rows":[${rowsText}],"rowCount":${rows.length}}`)
  return readRawRows({ sizeBytes: bytes.length, bytes })
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

export const never = () => new AbortController().signal
