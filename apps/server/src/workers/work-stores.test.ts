import { describe } from 'vitest'
import { storeKinds } from '../../testing/store/test-store.ts'
import { workStoreConformance } from '../../testing/work/work-store-conformance.ts'
import { sqlWork } from '../../testing/work/sql-work.ts'

describe.each(storeKinds)('%s', (kind) => {
  workStoreConformance({ name: 'the SQL store of background work', open: () => sqlWork(kind) })
})
