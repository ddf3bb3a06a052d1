import { runParts } from '../run-parts.ts'
import { measureIsolation } from './isolation.ts'
import { measureLatency } from './latency.ts'
import { measureMemory } from './memory.ts'
import { measurePeers } from './peers.ts'
import { measurePublishing } from './publishing.ts'
import { measureRecovery } from './recovery.ts'
import { measureThroughput } from './throughput.ts'
import { makeWorld } from './world.ts'

export const benchDelivery = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const benchmark = {
  name: 'delivery',
  title: 'Deliveries against a bare loop and against other queues',
  limitMinutes: 45,
  makeWorld,
  parts: {
    publishing: measurePublishing,
    throughput: measureThroughput,
    peers: measurePeers,
    latency: measureLatency,
    isolation: measureIsolation,
    recovery: measureRecovery,
    memory: measureMemory,
  },
}
