import type { WorkerRegistry } from '@querypost/server/background-work'
import { soundRules } from '../store/memory-store.ts'
import type { BrokenEngine } from './broken-engine.ts'

const withRegistry = (spoil: (registry: WorkerRegistry) => Partial<WorkerRegistry>): BrokenEngine['spoil'] => (deps) => {
  const registry = deps.workerRegistry!
  return { ...deps, workerRegistry: { ...registry, ...spoil(registry) } }
}

/** Takes every other worker for gone, so that a busy one loses what it is sending. */
export const busyTakenForGone: BrokenEngine = {
  name: 'busy worker taken for gone',
  noticedBy: [2],
  spoil: withRegistry((registry) => {
    let ownId: string | undefined
    return {
      async enter(id) {
        ownId = id
        return registry.enter(id)
      },
      look: async () => (await registry.look()).map(({ id, isAbsent }) => ({ id, isAbsent: isAbsent || id !== ownId })),
    }
  }),
}

/** Also takes over deliveries in order, although a worker presumed gone may still be sending the one before. */
export const orderedTakenOver: BrokenEngine = {
  name: 'delivery in order taken over',
  noticedBy: [2, 8],
  rules: { ...soundRules, isOrphaned: ({ leaseOwner }, goneWorkers) => leaseOwner !== null && goneWorkers.includes(leaseOwner) },
}
