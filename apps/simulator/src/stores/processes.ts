import { getStep } from '@querypost/server/background-work'
import type { Move, MoveStepName } from '@querypost/server/model'
import type { Coverage } from '../coverage.ts'
import type { Machine } from '../world/machine.ts'
import type { Observatory } from '../world/observatory.ts'
import type { CallStore } from '../world/store-calls.ts'
import type { StoreCall } from '../world/port-calls.ts'
import type { DirectoryInWorld } from './directory-in-world.ts'
import type { PlacedStore } from './placed-store.ts'
import type { StoresRules } from './stores-rules.ts'

/** The calls of one process. */
export interface Calls {
  toStore(storeId: string): CallStore
  toDirectory: CallStore
}

/** An API process: it looks up the organization's store, remembers it, and calls the store. */
export interface ApiProcess {
  machine: Machine
  call<Result>(organizationId: string, name: StoreCall, act: (store: PlacedStore) => Result | Promise<Result>): Promise<Result>
  /** Another statement in a transaction that was begun at this store. */
  callAgain<Result>(store: PlacedStore, name: StoreCall, act: () => Result | Promise<Result>): Promise<Result>
}

export function makeApiProcess(options: {
  machine: Machine
  calls: Calls
  stores: ReadonlyMap<string, PlacedStore>
  directory: DirectoryInWorld
  rules: StoresRules
}): ApiProcess {
  const { machine, calls, stores, directory, rules } = options
  const lookUp = (organizationId: string) => calls.toDirectory('store.directory.read', () => directory.get(organizationId).storeId)
  const cache = rules.makeDirectoryCache(lookUp)
  let last: Promise<unknown> = Promise.resolve()
  /** One after the other, if a broken variant says so. */
  function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    if (!rules.isApiSequential) return act()
    const turn = last.then(act)
    last = turn.catch(() => {})
    return turn
  }
  return {
    machine,
    call: (organizationId, name, act) =>
      inTurn(() => cache.atStoreOf(organizationId, (storeId) => calls.toStore(storeId)(name, () => act(stores.get(storeId)!)))),
    callAgain: (store, name, act) => inTurn(() => calls.toStore(store.id)(name, act)),
  }
}

/** A process that does the steps of all open moves. It has no state, so any number of them may run. */
export async function runMover(options: {
  machine: Machine
  calls: Calls
  stores: ReadonlyMap<string, PlacedStore>
  directory: DirectoryInWorld
  observatory: Observatory
  coverage: Coverage
  rules: StoresRules
  /** How long it waits before a step. */
  pauseMs(step: MoveStepName): number
}): Promise<void> {
  const { machine, calls, stores, directory, observatory, coverage, rules, pauseMs } = options

  /** Whether the step is done and noted, so that the next one can follow. */
  async function advance(organizationId: string, move: Move): Promise<boolean> {
    const step = rules.steps.find(({ name }) => name === move.step) ?? getStep(move.step)
    await machine.clock.sleep(pauseMs(step.name))
    const look = () => observatory.look({ by: 'mover', step: step.name, organizationId })
    if (step.at !== 'directory') {
      const source = stores.get(move.fromStoreId)!
      const store = step.at === 'source' ? source : stores.get(move.toStoreId)!
      const isCopy = step.name === 'copy'
      const rows = isCopy ? await calls.toStore(source.id)('store.move.read', () => source.readToCopy(organizationId, move.number)) : undefined
      if (isCopy && !rows) return false
      const outcome = await calls.toStore(store.id)('store.move.apply', async () => {
        const result = store.step({ organizationId, step, moveNumber: move.number, rows })
        await look()
        return result
      })
      if (outcome === 'busy') coverage.count('move: waited for leases or transactions')
      if (outcome === 'late') coverage.count('move: step came too late')
      if (outcome !== 'done') return false
    }
    return calls.toDirectory('store.directory.note', async () => {
      const isNoted = directory.note(organizationId, move, rules.steps)
      if (isNoted && !directory.get(organizationId).move) coverage.count('move: ended')
      await look()
      return isNoted
    })
  }

  while (!machine.isDead()) {
    try {
      for (const { organizationId, move } of await calls.toDirectory('store.directory.read', () => directory.openMoves())) {
        let next: Move | null = move
        while (next?.number === move.number && (await advance(organizationId, next))) {
          next = await calls.toDirectory('store.directory.read', () => directory.get(organizationId).move)
        }
      }
    } catch {
      // A store or the directory is away. The move goes on when it is back.
    }
    await machine.clock.sleep(1_000)
  }
}
