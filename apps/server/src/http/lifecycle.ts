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
  const { setting } = options
  const findRetired = makeRetiredFinder(options)
  // A sunset that is announced makes the routes deprecated from when this process began to announce it.
  const deprecatedAt = options.clock.now()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isQueryRoute(request.url)) return
    const retired = findRetired(request.url)
    if (retired) throw retired
    if (!setting.sunset) return
    reply.header('deprecation', `@${Math.floor(deprecatedAt.getTime() / 1000)}`)
    reply.header('sunset', setting.sunset.toUTCString())
    reply.header('link', `<${options.baseUrl}/docs/errors#route_retired>; rel="deprecation"; type="text/html"`)
  }
}

/** What anybody is told who asks for a retired address, by whatever method. */
export function makeRetiredFinder({ setting, clock }: { setting: QueryApiSetting; clock: Clock }): (url: string) => Refusal | undefined {
  return (url) => {
    const isPast = setting.sunset !== null && clock.now() >= setting.sunset
    if (!isQueryRoute(url) || (setting.state !== 'retired' && !isPast)) return undefined
    return new Refusal(
      'route_retired',
      'The query and query reference routes are retired. This is permanent: there is no replacement, do not retry.',
    )
  }
}

/** By the path's decoded pieces, since it can be spelt in several ways (`/api/%71ueries`) and need not lead to a route. */
function isQueryRoute(url: string): boolean {
  const [root, family, area] = url.split(/[?#]/, 1)[0]!.split('/').map(decoded)
  return root === '' && family === 'api' && area === 'queries'
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece)
  } catch {
    return piece
  }
}
