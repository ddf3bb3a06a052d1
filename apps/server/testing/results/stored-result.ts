import { gzipSync } from 'node:zlib'
import type { Field, FieldType } from '../../src/model/result.ts'
import { readRawRows } from '../../src/results/read-rows.ts'
import type { StoredResult } from '../../src/results/result-store.ts'

export const field = (name: string, type: FieldType): Field => ({ name, type })

/** A stored result with this JSON text. */
export function storedText(text: string | Buffer): StoredResult & { bytes: Buffer } {
  const bytes = gzipSync(text, { level: 1 })
  return { sizeBytes: bytes.length, encoding: 'gzip', bytes }
}

/** An opened stored result. Values are JSON texts, as engines write them. */
export function storedRows(fields: Field[], rows: string[][]): ReturnType<typeof readRawRows> {
  const rowsText = rows.map((row) => `[${row.join(',')}]`).join(',')
  return readRawRows(storedText(`{"fields":${JSON.stringify(fields)},"rows":[${rowsText}],"rowCount":${rows.length}}`))
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

export const never = () => new AbortController().signal
