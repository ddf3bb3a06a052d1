import { moveSteps, type MoveStep, permits, type PlacedOperation } from '@querypost/server/background-work'
import type { MoveStepName, PlacementState } from '@querypost/server/model'
import type { StoresRules } from '../stores/stores-rules.ts'
import type { BrokenEngine } from './broken-engine.ts'

const named = (...names: MoveStepName[]): MoveStep[] => names.map((name) => moveSteps.find((step) => step.name === name)!)

/** Permits one more operation. */
const alsoPermits = (operation: PlacedOperation, ...states: PlacementState[]): Partial<StoresRules> => ({
  permits: (state, asked) => permits(state, asked) || (asked === operation && states.includes(state)),
})

/** Organizations over several stores, with one fault each in their placement, their moves or the directory. */
export const brokenSeveralStores: BrokenEngine[] = [
  {
    name: 'events go to the old store during a move',
    noticedBy: [1, 'stores'],
    storesRules: alsoPermits('write', 'frozen', 'closed'),
  },
  {
    name: 'placement not locked by transactions',
    noticedBy: [1],
    storesRules: { areWritersAwaited: false },
  },
  {
    name: 'directory cache never corrected',
    noticedBy: ['stores'],
    storesRules: {
      makeDirectoryCache(lookUp) {
        const remembered = new Map<string, string>()
        return {
          async atStoreOf(organizationId, act) {
            const storeId = remembered.get(organizationId) ?? (await lookUp(organizationId))
            remembered.set(organizationId, storeId)
            return act(storeId)
          },
        }
      },
    },
  },
  {
    // Both stores count on from the same lease number.
    name: 'old store claims what was copied',
    noticedBy: [2, 'stores'],
    storesRules: alsoPermits('claim', 'draining', 'frozen', 'closed'),
  },
  {
    name: 'new store claims before the switch',
    noticedBy: [2, 'stores'],
    storesRules: alsoPermits('claim', 'arriving'),
  },
  {
    name: 'moved under a lease',
    noticedBy: [2, 'stores'],
    storesRules: { areLeasesAwaited: false },
  },
  {
    name: 'removed before the switch',
    noticedBy: [1],
    storesRules: { steps: named('drain', 'freeze', 'receive', 'copy', 'close', 'remove', 'switch', 'open') },
  },
  {
    name: 'switched before the copy',
    noticedBy: [1],
    storesRules: { steps: named('drain', 'freeze', 'close', 'switch', 'receive', 'copy', 'open', 'remove') },
  },
  {
    name: 'old store answers after the switch',
    noticedBy: ['stores'],
    storesRules: alsoPermits('read', 'closed'),
  },
  {
    name: 'old rows never removed',
    noticedBy: ['stores'],
    storesRules: { steps: named('drain', 'freeze', 'receive', 'copy', 'close', 'switch', 'open') },
  },
  {
    name: 'order numbers begin again at the new store',
    noticedBy: [8],
    storesRules: { isOrderContinued: false },
  },
  {
    name: 'failures counted again after a move',
    noticedBy: [5, 'stores'],
    storesRules: { copyEndpoint: (endpoint) => ({ ...endpoint, consecutiveFailures: 0 }) },
  },
  {
    name: 'API waits for one store at a time',
    noticedBy: ['stores'],
    storesRules: { isApiSequential: true },
  },
]
