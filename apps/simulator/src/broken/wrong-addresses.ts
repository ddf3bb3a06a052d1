import { isIP } from 'node:net'
import type { VettedAddress } from '@querypost/server/ports'
import { locations } from '../world/network-port.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** Checks the address only when the endpoint is saved, but connects to what the name resolves to now. */
export const checkedOnlyAtSave: BrokenEngine = {
  name: 'address checked only at save',
  noticedBy: [4],
  spoil(deps) {
    const answersNow = new WeakMap<AbortSignal, VettedAddress[]>()
    return {
      ...deps,
      network: {
        ...deps.network,
        async resolve(hostname, signal) {
          answersNow.set(signal, (await deps.network.resolve(hostname, signal)) as VettedAddress[])
          return ['93.184.216.34']
        },
        post: (request) => deps.network.post({ ...request, addresses: answersNow.get(request.signal) ?? request.addresses }),
      },
    }
  },
}

/** Checks only the first of several addresses. */
export const firstAnswerChecked: BrokenEngine = {
  name: 'only the first answer checked',
  noticedBy: [4],
  spoil: (deps) => ({
    ...deps,
    network: {
      ...deps.network,
      resolve: async (hostname, signal) => (await deps.network.resolve(hostname, signal)).slice(0, 1),
    },
  }),
}

/** Follows redirects. */
export const redirectsFollowed: BrokenEngine = {
  name: 'redirects followed',
  noticedBy: [4],
  spoil: (deps) => ({
    ...deps,
    network: {
      ...deps.network,
      async post(request) {
        const answer = await deps.network.post(request)
        const location = locations.get(answer)
        if (location === undefined) return answer
        const url = new URL(location)
        const { hostname } = url
        const addresses = isIP(hostname) ? [hostname] : await deps.network.resolve(hostname, request.signal)
        return deps.network.post({ ...request, url, addresses: addresses as VettedAddress[] })
      },
    },
  }),
}
