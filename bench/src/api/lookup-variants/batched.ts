/** The service's own lookups: those that wait at the same time share a statement. */
import * as own from '../../../../apps/server/src/store/batched-lookup.ts'
import { counted } from './statements.ts'

export const batchedLookup: typeof own.batchedLookup = (options) =>
  own.batchedLookup({ ...options, read: counted(options.read) })
