/** A statement for each lookup. */
import type * as own from '../../../../apps/server/src/store/batched-lookup.ts'
import { counted } from './statements.ts'

export const batchedLookup: typeof own.batchedLookup = (options) => {
  const read = counted(options.read)
  return async (key) => (await read([key])).get(key)
}
