import { parseRows } from '@querypost/visualization'
import type { Field } from '../model/result.ts'
import { unpacked } from './encodings.ts'
import { makeRowSplitter, type RowSplitter } from './row-splitter.ts'
import type { StoredResult } from './result-store.ts'

export interface StoredRows {
  fields: Field[]
  /**
   * Batches of rows, in order. Leaving the loop early frees all resources. A value that nests too deeply to be traversed is
   * replaced by a message that says so.
   */
  batches: AsyncIterable<unknown[][]>
  /** For callers that only want the fields and never start the loop. */
  close(): Promise<void>
}

/** Reads a stored result in batches of rows, so that a result of any size needs only a few megabytes of memory. */
export async function readRows(stored: StoredResult): Promise<StoredRows> {
  const splitter = makeRowSplitter()
  const { fields, batches } = await openRows(stored, splitter)
  return { fields, batches: parsed(batches, splitter), close: async () => void (await batches.return(undefined)) }
}

async function* parsed(batches: AsyncGenerator<string>, splitter: RowSplitter): AsyncGenerator<unknown[][]> {
  for await (const rows of batches) {
    // Few results contain deep values, and the splitter has already checked, so only those are traversed again.
    yield splitter.hasDeepValues() ? parseRows(rows) : (JSON.parse(rows) as unknown[][])
  }
}

export interface RawRows {
  fields: Field[]
  /** Batches of rows as JSON text, `[[…],[…]]`, exactly as the engine wrote them. */
  batches: AsyncGenerator<string, undefined>
}

export async function readRawRows(stored: StoredResult, options: { rowMaxBytes?: number } = {}): Promise<RawRows> {
  return openRows(stored, makeRowSplitter(options))
}

async function openRows(stored: StoredResult, splitter: RowSplitter): Promise<RawRows> {
  const lists = fieldsThenRows(stored, splitter)
  const { value: fields } = (await lists.next()) as { value: string }
  return { fields: JSON.parse(fields) as Field[], batches: lists }
}

/** Yields the fields first, then batches of rows, all as text. */
async function* fieldsThenRows(stored: StoredResult, splitter: RowSplitter): AsyncGenerator<string, undefined> {
  const text = unpacked(stored)
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      yield* splitter.push(chunk)
      if (splitter.isOver()) return
    }
    throw new Error('The stored result is incomplete: its file is damaged.')
  } finally {
    text.destroy()
    if (!Buffer.isBuffer(stored.bytes)) stored.bytes.destroy()
  }
}
