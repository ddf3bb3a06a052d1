import type { DirectoryInWorld } from '../stores/directory-in-world.ts'
import type { ClientRequest } from '../stores/clients.ts'
import type { Stray } from '../stores/merged-deliveries.ts'
import type { PlacedStore } from '../stores/placed-store.ts'
import { worldBeganAt } from '../world/machine.ts'
import type { Commit, Judge, Observed } from '../world/observed.ts'
import { firstOf } from './1-reaches-its-end.ts'

export interface ObservedStores {
  stores: ReadonlyMap<string, PlacedStore>
  directory: DirectoryInWorld
  organizationIds: readonly string[]
  /** Rows that were written in the wrong place since the last call. */
  takeStrays(): readonly Stray[]
  requests: readonly ClientRequest[]
  /** A wrong answer that a client got. */
  complaint(): string | undefined
  /** When the last fault ended of the API processes, the directory and this organization's store; Infinity during a fault or a move. */
  apiCalmSinceMs(organizationId: string): number
  storeAheadMs(storeId: string): number
}

/** A client waits for an answer that doesn't come, tries again, and meets a process that has to look the organization up. */
export const answeredWithinMs = 25_000

/**
 * Organizations over several stores.
 *
 * Only the store that the directory names writes rows of an organization, except for steps of a move. A move changes no delivery, and
 * ends no lease early. Afterwards no row is in two places. Every request is answered in the end, and soon if nothing is wrong with the
 * organization's own store. A list has everything that was published before it was requested.
 */
export const makeStoresJudge =
  (world: ObservedStores) =>
  (observed: Observed): Judge => {
    /** The store in which each organization was at the last commit. */
    const storeIds = new Map<string, string>()

    function judgeMoved({ before, after }: Commit['changes'][number], fromStoreId: string): string | undefined {
      // The first invariant covers lost rows.
      if (!before || !after) return undefined
      const isSame =
        before.state === after.state &&
        before.attemptCount === after.attemptCount &&
        before.leaseNumber === after.leaseNumber &&
        before.orderKey === after.orderKey &&
        before.orderNumber === after.orderNumber &&
        before.nextAttemptAt?.getTime() === after.nextAttemptAt?.getTime()
      if (!isSame) return `${after.id} was changed by a move: ${JSON.stringify(before)} became ${JSON.stringify(after)}`
      const leftMs = (before.leaseExpiresAt?.getTime() ?? -Infinity) - worldBeganAt - observed.nowMs() - world.storeAheadMs(fromStoreId)
      return leftMs > 0 ? `${after.id} was moved while a worker had it for ${leftMs} ms more` : undefined
    }

    const judgeEndpoints = (organizationId: string, { endpointsBefore }: Commit) =>
      firstOf(observed.endpoints.values(), ({ row }) => {
        const before = endpointsBefore.get(row.id)!
        const isSame = before.state === row.state && before.consecutiveFailures === row.consecutiveFailures
        return row.organizationId === organizationId && !isSame ? `${row.id} was changed by a move` : undefined
      })

    function judgeMove(commit: Commit): string | undefined {
      return firstOf(world.organizationIds, (organizationId) => {
        const { storeId, move } = world.directory.get(organizationId)
        const fromStoreId = storeIds.get(organizationId) ?? storeId
        storeIds.set(organizationId, storeId)
        const isMoved = fromStoreId !== storeId
        const ofOrganization = commit.changes.filter(({ before, after }) => {
          const { endpointId } = (after ?? before)!
          return observed.endpoints.get(endpointId)!.row.organizationId === organizationId
        })
        const changed = isMoved
          ? (judgeEndpoints(organizationId, commit) ?? firstOf(ofOrganization, (change) => judgeMoved(change, fromStoreId)))
          : undefined
        return changed ?? (move ? undefined : judgePlaces(world, organizationId, storeId))
      })
    }

    function judgeWaiting({ plan, isAnswered }: ClientRequest): string | undefined {
      if (isAnswered || observed.nowMs() - plan.atMs <= answeredWithinMs) return undefined
      const openMs = plan.kind === 'publish' ? 2 * plan.openMs : 0
      const lateMs = observed.nowMs() - Math.max(plan.atMs, world.apiCalmSinceMs(plan.organizationId)) - openMs
      if (lateMs <= answeredWithinMs) return undefined
      return `a request to ${plan.kind} for ${plan.organizationId} is not answered after ${lateMs} ms, although its store has no fault`
    }

    return {
      invariant: 'stores',
      committed(commit) {
        if (commit.cause.by !== 'mover') return undefined
        world.takeStrays()
        return judgeMove(commit)
      },
      stepped() {
        const [stray] = world.takeStrays()
        if (stray) return `${stray.storeId} wrote ${stray.deliveryId} of ${stray.organizationId}, which it doesn't have`
        return world.complaint() ?? firstOf(world.requests, judgeWaiting)
      },
      ended: () =>
        firstOf(world.requests, ({ plan, isAnswered }) =>
          isAnswered ? undefined : `a request to ${plan.kind} for ${plan.organizationId} was never answered`,
        ) ??
        firstOf(world.organizationIds, (organizationId) => {
          const { storeId, move } = world.directory.get(organizationId)
          if (move) return `the move of ${organizationId} to ${move.toStoreId} never ended`
          return judgePlaces(world, organizationId, storeId)
        }),
    }
  }

/** Whether the organization is on this store only, when no move is open. */
const judgePlaces = (world: ObservedStores, organizationId: string, storeId: string) =>
  firstOf(world.stores.values(), (store) => {
    const state = store.placements.get(organizationId)?.state ?? 'absent'
    if (state !== (store.id === storeId ? 'active' : 'absent')) return `${organizationId}, which is on ${storeId}, is ${state} on ${store.id}`
    const { endpoints, deliveries } = store.rowsOf(organizationId)
    const count = endpoints.length + deliveries.length
    return store.id !== storeId && count > 0 ? `${count} rows of ${organizationId}, which is on ${storeId}, are on ${store.id}, too` : undefined
  })
