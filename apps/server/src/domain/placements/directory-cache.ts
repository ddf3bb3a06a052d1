import { StoreUnavailable } from '../../store/store-unavailable.ts'

/** Thrown by a store that doesn't have the organization, or must not serve the request while it moves. */
export class NotPlacedHere extends Error {}

/**
 * What one API process remembers of the directory. Stores check placements themselves, so an outdated entry does no harm: the store
 * rejects the request, and the process looks the organization up again. An entry is also looked up again after its store was unavailable,
 * since the organization may have left before. While the directory is away, remembered organizations are served.
 */
export interface DirectoryCache {
  /** Runs a request at the organization's store. If the store doesn't have it, looks it up and tries once more. */
  atStoreOf<Result>(organizationId: string, act: (storeId: string) => Promise<Result>): Promise<Result>
}

export function makeDirectoryCache(lookUp: (organizationId: string) => Promise<string>): DirectoryCache {
  const remembered = new Map<string, { storeId: string; isDoubtful: boolean }>()

  async function refresh(organizationId: string): Promise<string> {
    const storeId = await lookUp(organizationId)
    remembered.set(organizationId, { storeId, isDoubtful: false })
    return storeId
  }

  async function storeOf(organizationId: string): Promise<string> {
    const known = remembered.get(organizationId)
    if (known && !known.isDoubtful) return known.storeId
    if (!known) return refresh(organizationId)
    try {
      return await refresh(organizationId)
    } catch {
      return known.storeId
    }
  }

  return {
    async atStoreOf(organizationId, act) {
      const storeId = await storeOf(organizationId)
      try {
        return await act(storeId)
      } catch (error) {
        const known = remembered.get(organizationId)
        if (error instanceof StoreUnavailable && known?.storeId === storeId) known.isDoubtful = true
        if (!(error instanceof NotPlacedHere)) throw error
        const found = await refresh(organizationId)
        if (found === storeId) throw error
        return act(found)
      }
    },
  }
}
