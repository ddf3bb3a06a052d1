import type { BrokenEngine } from './broken-engine.ts'

/** Signs a delivery once and sends the same headers with every attempt. */
export const signatureReused: BrokenEngine = {
  name: 'signature reused',
  noticedBy: [3],
  spoil(deps) {
    const signed = new Map<string, Record<string, string>>()
    return {
      ...deps,
      network: {
        ...deps.network,
        post(request) {
          const key = `${request.headers['svc-webhook-id']} ${request.url.href}`
          const headers = signed.get(key) ?? request.headers
          signed.set(key, headers)
          return deps.network.post({ ...request, headers })
        },
      },
    }
  },
}
