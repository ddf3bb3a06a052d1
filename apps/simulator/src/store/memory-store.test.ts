import { deliveryStoreConformance } from '@querypost/server/testing/suites'
import { makeChance } from '../chance.ts'
import { memoryDeliveries } from './memory-deliveries.ts'
import { makeMemoryRows } from './memory-rows.ts'

deliveryStoreConformance({
  name: 'the memory store',
  async open() {
    return {
      begin: async () => memoryDeliveries({ rows: makeMemoryRows(), random: makeChance('conformance') }),
      close: async () => {},
    }
  },
})
