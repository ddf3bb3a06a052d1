import type { FastifyInstance, FastifyRequest } from 'fastify'
import { viewerOf } from '../../domain/access/read-access.ts'
import { makeChartImages } from '../../domain/charts/chart-images.ts'
import type { Caller } from '../../model/caller.ts'
import type { QueryServices } from '../../domain/services.ts'
import { asViewer } from '../../store/access/viewer.ts'
import { isKnown } from '../send-result.ts'

/**
 * The chart image of a reference, for link previews. Only signed-in members of the organization get it; everyone else gets 404,
 * whether or not the reference exists.
 */
export function chartImageRoutes(
  app: FastifyInstance,
  services: Pick<QueryServices, 'db' | 'findReference' | 'findQuery' | 'clock' | 'results' | 'resultLifetimeMs'>,
  callerOf: (request: FastifyRequest) => Promise<Caller | undefined>,
): void {
  const chartImage = makeChartImages(services)
  app.get('/q/:shortId/chart.png', { schema: { hide: true } }, async (request, reply) => {
    const { shortId } = request.params as { shortId: string }
    const caller = await callerOf(request)
    const image = await asViewer(caller && viewerOf(caller), () => chartImage(caller, shortId))
    reply.header('etag', `"${image.tag}"`).header('cache-control', 'private, no-cache').header('vary', 'cookie')
    if (isKnown(request.headers['if-none-match'], image.tag)) return reply.code(304).send()
    return reply.type('image/png').send(await image.png())
  })
}
