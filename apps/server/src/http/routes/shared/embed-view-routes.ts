import type { FastifyRequest } from 'fastify'
import { openEmbed } from '../../../domain/sharing/open-embed.ts'
import type { QueryServices } from '../../../domain/services.ts'
import { recordEmbedUse } from '../../../store/sharing/embed-secrets-table.ts'
import { keyIn } from '../../authenticate.ts'
import type { Api } from '../../typed.ts'
import { viewRoutes } from './view-routes.ts'
import { addViewerHooks } from './viewer-hooks.ts'

const shortIdOf = (request: FastifyRequest) => (request.params as { shortId: string }).shortId

/** What an embedded page reads, with its token in the `Authorization` header. */
export function embedViewRoutes(api: Api, services: QueryServices): void {
  addViewerHooks(api, services)
  viewRoutes(api, services, {
    prefix: '/public/api/embed/:shortId',
    openViewer: (request) => openEmbed(services, { shortId: shortIdOf(request), token: keyIn(request) }),
    onOpened: ({ id }) => recordEmbedUse(services.db, { id, now: services.clock.now() }),
  })
}
