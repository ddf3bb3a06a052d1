import type { FirstRows } from './generated/schemas.ts'
import { makeResultReader } from './read-result.ts'

export type { Field, FirstRows } from './generated/schemas.ts'

/**
 * Reads the beginning of a result and leaves the rest unread. A result may hold millions of rows; a page that shows a few of
 * them must not pay for all.
 */
export async function readFirstRows(body: ReadableStream<Uint8Array>, limit: number): Promise<FirstRows> {
  const source = body.getReader()
  const reader = makeResultReader()
  const rows: unknown[][] = []
  while (rows.length < limit) {
    const { done, value } = await source.read()
    if (done) {
      if (!reader.isWhole) throw new Error('The result broke off before its end. Load it again.')
      break
    }
    for (const row of reader.push(value)) rows.push(row)
  }
  // What is left is not wanted, so neither is how its sending ends.
  void source.cancel().catch(() => undefined)
  return { fields: reader.fields ?? [], rows: rows.slice(0, limit) }
}
