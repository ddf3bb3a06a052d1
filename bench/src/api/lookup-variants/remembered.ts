/** The service's own lookups: batches, and values that are remembered with their moment. */
import * as own from '../../../../apps/server/src/store/batched-lookup.ts'
import { counted } from './statements.ts'

export const batchedLookup: typeof own.batchedLookup = (options) =>
  own.batchedLookup({ ...options, read: counted(options.read) })

export const rememberedLookup: typeof own.rememberedLookup = (options) =>
  own.rememberedLookup({ ...options, read: counted(options.read) })

export const { rememberedMaxBytes } = own
