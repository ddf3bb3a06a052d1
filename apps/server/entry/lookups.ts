export { batchedLookup } from '../src/store/batched-lookup.ts'
