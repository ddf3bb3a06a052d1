import { describe } from 'vitest'
import { storeKinds } from '../testing/test-store.ts'
import { workStoreConformance } from './conformance.ts'
import { sqlWork } from './test-sql-work.ts'

describe.each(storeKinds)('%s', (kind) => {
  workStoreConformance({ name: 'the SQL store of background work', open: () => sqlWork(kind) })
})
