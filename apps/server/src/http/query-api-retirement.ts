import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import type { Clock } from '../ports/clock.ts'

/** Whether the published query routes work. `retired` is permanent; a sunset retires them at that time, without a restart. */
export interface QueryApiSetting {
  state: 'active' | 'retired'
  sunset: Date | null
}

/**
 * Rejects requests to the retired query API before any other check, including authentication. Everything at or below `/api/queries`
 * belongs to it, whatever the method and whether or not the route exists. Until a sunset, adds the deprecation headers.
 */
export function makeRetirementHook(options: { setting: QueryApiSetting; clock: Clock; baseUrl: string }) {
  const { setting } = options
  const findRetired = makeRetiredFinder(options)
  const canRetire = setting.state === 'retired' || setting.sunset !== null
  // With a sunset, the routes count as deprecated since this process started to announce it.
  const deprecatedAt = options.clock.now()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!canRetire || !isQueryRoute(request.url)) return
    const retired = findRetired(request.url)
    if (retired) throw retired
    if (!setting.sunset) return
    reply.header('deprecation', `@${Math.floor(deprecatedAt.getTime() / 1000)}`)
    reply.header('sunset', setting.sunset.toUTCString())
    reply.header('link', `<${options.baseUrl}/docs/errors#route_retired>; rel="deprecation"; type="text/html"`)
  }
}

/** Returns the error for a retired URL, whatever the method. */
export function makeRetiredFinder({ setting, clock }: { setting: QueryApiSetting; clock: Clock }): (url: string) => Refusal | undefined {
  return (url) => {
    const isPast = setting.sunset !== null && clock.now() >= setting.sunset
    if ((setting.state !== 'retired' && !isPast) || !isQueryRoute(url)) return undefined
    return new Refusal(
      'route_retired',
      'The query and query reference routes are retired. This is permanent: there is no replacement, do not retry.',
    )
  }
}

/** Compares decoded path segments: a path can be spelled in several ways (`/api/%71ueries`) and may have no route. */
function isQueryRoute(url: string): boolean {
  const [root, family, area] = url.split(/[?#]/, 1)[0]!.split('/').map(decoded)
  return root === '' && family === 'api' && area === 'queries'
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
