import type { BrokenEngine } from './broken-engine.ts'

/** Has no timeout, so that a hanging receiver occupies its slots forever. */
export const noDeadline: BrokenEngine = {
  name: 'no deadline',
  noticedBy: [6, 7],
  spoil(deps) {
    const patient = new WeakMap<AbortSignal, AbortSignal>()
    function withoutEnd(signal: AbortSignal): AbortSignal {
      const endless = patient.get(signal) ?? new AbortController().signal
      patient.set(signal, endless)
      return endless
    }
    return {
      ...deps,
      network: {
        ...deps.network,
        resolve: (hostname, signal) => deps.network.resolve(hostname, withoutEnd(signal)),
        post: (request) => deps.network.post({ ...request, signal: withoutEnd(request.signal) }),
      },
    }
  },
}
