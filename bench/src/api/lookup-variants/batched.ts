/** Batches alone: nothing is remembered. */
import * as own from '../../../../apps/server/src/store/batched-lookup.ts'
import { counted } from './statements.ts'

export const batchedLookup: typeof own.batchedLookup = (options) =>
  own.batchedLookup({ ...options, read: counted(options.read) })

export const rememberedLookup: typeof own.rememberedLookup = ({ read }) =>
  batchedLookup({ read: async (keys) => (await read(keys)).values })

export const { rememberedMaxBytes } = own
