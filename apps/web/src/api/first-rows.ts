import type { FirstRows } from './generated/schemas.ts'
import { makeResultReader } from './read-result.ts'

export type { Field, FirstRows } from './generated/schemas.ts'

/** Reads the first rows and cancels the rest, because a result can have millions of rows. */
export async function readFirstRows(body: ReadableStream<Uint8Array>, limit: number): Promise<FirstRows> {
  const source = body.getReader()
  const reader = makeResultReader()
  const rows: unknown[][] = []
  while (rows.length < limit) {
    const { done, value } = await source.read()
    if (done) {
      if (!reader.isWhole) throw new Error('The result is incomplete. Load it again.')
      break
    }
    for (const row of reader.push(value)) rows.push(row)
  }
  // The rest isn't needed, so ignore errors while canceling it.
  void source.cancel().catch(() => undefined)
  return { fields: reader.fields ?? [], rows: rows.slice(0, limit) }
}
