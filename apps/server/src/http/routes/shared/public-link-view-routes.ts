import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { openLink, unlockLink } from '../../../domain/sharing/open-link.ts'
import type { PeopleServices, QueryServices } from '../../../domain/services.ts'
import { countLinkView } from '../../../store/sharing/public-links-table.ts'
import { keyIn } from '../../authenticate.ts'
import { clientAddress } from '../../client-address.ts'
import { GivenLinkPassword, LinkPass } from '../../schemas/sharing-schemas.ts'
import type { Api } from '../../typed.ts'
import { viewRoutes } from './view-routes.ts'
import { addViewerHooks } from './viewer-hooks.ts'

const prefix = '/public/api/links/:token'
const Params = Type.Object({ token: Type.String() })

const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token

/** What the page of a public link reads. Nobody is signed in here, and no cookie is read or set. */
export function publicLinkViewRoutes(api: Api, services: QueryServices & PeopleServices): void {
  addViewerHooks(api, services)
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
