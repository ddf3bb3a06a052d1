import { deliveryStoreConformance } from '../../../server/src/domain/webhooks/delivery/conformance.ts'
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
