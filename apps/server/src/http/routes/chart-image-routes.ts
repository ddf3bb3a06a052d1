import type { FastifyInstance, FastifyRequest } from 'fastify'
import { makeChartImages } from '../../domain/charts/chart-images.ts'
import type { Caller } from '../../model/caller.ts'
import type { QueryServices } from '../../domain/services.ts'
import { isKnown } from '../send-result.ts'

/**
 * The picture of a reference, for link previews. It is only for signed-in people of the organization; to everybody else there is
 * no such thing, whether or not the permalink leads somewhere.
 */
export function chartImageRoutes(
  app: FastifyInstance,
  services: Pick<QueryServices, 'findReference' | 'findQuery' | 'clock' | 'results' | 'resultLifetimeMs'>,
  callerOf: (request: FastifyRequest) => Promise<Caller | undefined>,
): void {
  const chartImage = makeChartImages(services)
  app.get('/q/:shortId/chart.png', { schema: { hide: true } }, async (request, reply) => {
    const { shortId } = request.params as { shortId: string }
    const image = await chartImage(await callerOf(request), shortId)
    reply.header('etag', `"${image.tag}"`).header('cache-control', 'private, no-cache').header('vary', 'cookie')
    if (isKnown(request.headers['if-none-match'], image.tag)) return reply.code(304).send()
    return reply.type('image/png').send(await image.png())
  })
}
