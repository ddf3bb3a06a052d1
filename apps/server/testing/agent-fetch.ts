import { isInAllowedNetworks, parseAllowedNetworks, vetAddresses } from '../src/domain/webhooks/addresses/endpoint-addresses.ts'
import { systemClock } from '../src/ports/clock.ts'
import { type GuardedFetch, type GuardedFetchOptions, makeGuardedFetch } from '../src/ports/network/guarded-fetch.ts'
import { makeResolver } from '../src/ports/network/resolve.ts'

export interface AgentFetch {
  fetch: GuardedFetch
  close(): Promise<void>
}

/** The `fetch` of models and data connectors as created by process/main.ts, for an operator who has allowed these networks. */
export function openAgentFetch({
  allowed = '127.0.0.1',
  dnsServers,
  ...rest
}: { allowed?: string; dnsServers?: string[] } & Partial<GuardedFetchOptions> = {}): AgentFetch {
  const parsed = parseAllowedNetworks(allowed)
  if ('fault' in parsed) throw new Error(parsed.fault)
  const rules = { allowedNetworks: parsed.networks }
  const resolver = makeResolver({ dnsServers })
  const guarded = makeGuardedFetch({
    clock: systemClock,
    resolve: resolver.resolve,
    vet: (addresses) => vetAddresses(addresses, rules),
    isAllowedPlain: (address) => isInAllowedNetworks(address, rules),
    ownUrl: new URL('https://querypost.test'),
    ...rest,
  })
  return {
    fetch: guarded.fetch,
    async close() {
      resolver.close()
      await guarded.close()
    },
  }
}
