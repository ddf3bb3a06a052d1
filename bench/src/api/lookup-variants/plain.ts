/** One statement per lookup. */
import type * as own from '@querypost/server/lookups'
import { counted } from './statements.ts'

export const batchedLookup: typeof own.batchedLookup = (options) => {
  const read = counted(options.read)
  return async (key) => (await read([key])).get(key)
}
