import { networkOf } from '../../../domain/people/sign-in-keys.ts'
import type { BaseServices } from '../../../domain/services.ts'
import { makeThrottle } from '../../../domain/throttle.ts'
import { clientAddress } from '../../client-address.ts'
import type { Api } from '../../typed.ts'

/** For everything that viewers read: a limit per network, and headers that keep it out of search engines and other sites' logs. */
export function addViewerHooks(api: Api, { clock }: Pick<BaseServices, 'clock'>): void {
  // A board of a hundred tiles can be opened several times in a row.
  const requests = makeThrottle({
    clock,
    bucket: { burst: 600, regainMs: 100 },
    message: 'Too many requests from your network. Try again in a few seconds.',
  })
  api.addHook('onRequest', async (request, reply) => {
    reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer')
    requests.take(networkOf(clientAddress(request)))
  })
  // The same address shows different rows with different tokens.
  api.addHook('onSend', async (_request, reply) => {
    reply.header('vary', [reply.getHeader('vary'), 'authorization'].flat().filter(Boolean).join(', '))
  })
}
