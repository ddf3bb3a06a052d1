import type { ServerOptions } from '../../engines/server-options.ts'
import { type DatabaseAddressRules, makeAddressesOf } from './database-addresses.ts'
import { makeSurroundings } from './surroundings.ts'

/** What engines on servers are held to when they connect. */
export function guardConnections(
  deps: Parameters<typeof makeSurroundings>[0] & { rules: DatabaseAddressRules },
): Required<Pick<ServerOptions, 'addressesOf' | 'ownStore'>> {
  const surroundings = makeSurroundings(deps)
  return {
    addressesOf: makeAddressesOf({ ...deps, surroundings }),
    ownStore: async () => (await surroundings()).store,
  }
}
