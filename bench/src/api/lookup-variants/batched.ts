/** The service's own lookups: concurrent lookups share a statement. */
import * as own from '@querypost/server/lookups'
import { counted } from './statements.ts'

export const batchedLookup: typeof own.batchedLookup = (options) =>
  own.batchedLookup({ ...options, read: counted(options.read) })
