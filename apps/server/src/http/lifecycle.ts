import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import type { Clock } from '../ports/clock.ts'

/** Whether the published query routes work: `retired` is forever; a sunset retires them at that moment, with no restart. */
export interface QueryApiSetting {
  state: 'active' | 'retired'
  sunset: Date | null
}

/**
 * The life of the query interface, judged before anything else of a request, authentication included. Everything at or
 * below `/api/queries` belongs to it, whatever the method and whether or not there is such a route.
 */
export function makeRetirement(options: { setting: QueryApiSetting; clock: Clock; baseUrl: string }) {
  const { setting, clock } = options
  // A sunset that is announced makes the routes deprecated from when this process began to announce it.
  const deprecatedAt = clock.now()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isQueryRoute(request)) return
    const isPast = setting.sunset !== null && clock.now() >= setting.sunset
    if (setting.state === 'retired' || isPast) {
      throw new Refusal(
        'route_retired',
        'The query and query reference routes are retired. This is permanent: there is no replacement, do not retry.',
      )
    }
    if (!setting.sunset) return
    reply.header('deprecation', `@${Math.floor(deprecatedAt.getTime() / 1000)}`)
    reply.header('sunset', setting.sunset.toUTCString())
    reply.header('link', `<${options.baseUrl}/docs/errors#route_retired>; rel="deprecation"; type="text/html"`)
  }
}

/** Judged by the route that was found, since a path can be spelt in several ways (`/api/%71ueries`), and by the path where there is none. */
function isQueryRoute(request: FastifyRequest): boolean {
  const path = request.routeOptions.url ?? request.url.split(/[?#]/, 1)[0]!
  return path === '/api/queries' || path.startsWith('/api/queries/')
}
