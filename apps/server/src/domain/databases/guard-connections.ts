import type { ServerOptions } from '../../engines/server-options.ts'
import { type DatabaseAddressRules, makeAddressesOf } from './database-addresses.ts'
import { makeSurroundings } from './surroundings.ts'

/** The checks that engines on servers apply when they connect. */
export function guardConnections(
  deps: Parameters<typeof makeSurroundings>[0] & { rules: DatabaseAddressRules },
): Required<Pick<ServerOptions, 'addressesOf' | 'ownStore'>> {
  const surroundings = makeSurroundings(deps)
  return {
    addressesOf: makeAddressesOf({ ...deps, surroundings }),
    ownStore: async () => (await surroundings()).store,
  }
}
