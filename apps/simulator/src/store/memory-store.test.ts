import { deliveryStoreConformance } from '@querypost/server/testing/suites'
import { makeChance } from '../chance.ts'
import { memoryDeliveries } from './memory-deliveries.ts'
import { makeMemoryRows } from './memory-rows.ts'

deliveryStoreConformance({
  name: 'the memory store',
  async open() {
    const rows = makeMemoryRows()
    return { deliveries: memoryDeliveries({ rows, random: makeChance('conformance') }), clear: async () => rows.clear() }
  },
})
