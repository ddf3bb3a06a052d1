import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { openLink, unlockLink } from '../../../domain/access/open-link.ts'
import { networkOf } from '../../../domain/people/sign-in-keys.ts'
import type { PeopleServices, QueryServices } from '../../../domain/services.ts'
import { makeThrottle } from '../../../domain/throttle.ts'
import { countLinkView } from '../../../store/sharing/public-links-table.ts'
import { keyIn } from '../../authenticate.ts'
import { clientAddress } from '../../client-address.ts'
import { GivenLinkPassword, LinkPass } from '../../schemas/sharing-schemas.ts'
import type { Api } from '../../typed.ts'
import { viewRoutes } from './view-routes.ts'

const prefix = '/public/api/links/:token'
const Params = Type.Object({ token: Type.String() })

const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token

/** What the page of a public link reads. Nobody is signed in here, and no cookie is read or set. */
export function publicLinkViewRoutes(api: Api, services: QueryServices & PeopleServices): void {
  // A board of a hundred tiles can be opened several times in a row.
  const requests = makeThrottle({
    clock: services.clock,
    bucket: { burst: 600, regainMs: 100 },
    message: 'Too many requests from your network. Try again in a few seconds.',
  })

  api.addHook('onRequest', async (request, reply) => {
    reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer')
    requests.take(networkOf(clientAddress(request)))
  })

  viewRoutes(api, services, {
    prefix,
    openViewer: (request) => openLink(services, { token: tokenOf(request), pass: keyIn(request) }),
    onOpened: ({ id }) => countLinkView(services.db, { id, now: services.clock.now() }),
  })

  api.post(
    `${prefix}/unlock`,
    { schema: { hide: true, params: Params, body: GivenLinkPassword, response: { 200: LinkPass } } },
    async (request) =>
      unlockLink(services, { token: tokenOf(request), password: request.body.password, address: clientAddress(request) }),
  )
}
