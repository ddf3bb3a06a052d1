import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route exists only to reject its method. */
    isNotAllowed?: boolean
  }
  interface FastifyInstance {
    /** The methods that a path has routes for, sorted; empty for an unknown path. */
    methodsAt(path: string): string[]
  }
}

/** Matches every path that has no other route. */
const catchAll = '/*'

/** Keeps track of the routes that are added after this call. */
export function addAllowedMethods(app: FastifyInstance): void {
  const routes = new Map<string, { methods: Set<string>; pattern?: RegExp }>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (url === catchAll || config?.isNotAllowed) return
    const route = routes.get(url) ?? { methods: new Set<string>() }
    for (const one of [method].flat()) route.methods.add(one)
    routes.set(url, route)
  })
  app.decorate('methodsAt', (path) => {
    const spelled = decodedPath(path)
    const found = new Set<string>()
    for (const [url, route] of routes) {
      // Most processes never need the patterns, so none is made at the start.
      route.pattern ??= patternOf(url)
      if (route.pattern.test(spelled)) for (const method of route.methods) found.add(method)
    }
    return [...found].toSorted()
  })
}

/** `:id` matches one segment of the path; a trailing star matches anything. */
function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`, 's')
}

/** Decodes each segment separately, like the router, so that an encoded slash does not end a segment. */
function decodedPath(path: string): string {
  return path.split('/').map(decodedSegment).join('/')
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '_')
  } catch {
    return segment
  }
}

export interface NoRoute {
  code: 'route_not_found' | 'method_not_allowed'
  message: string
  /** For the `Allow` header. */
  allow?: string
}

/** Why a request has no route: the path is unknown, or it does not support the method. */
export function explainNoRoute(app: Pick<FastifyInstance, 'methodsAt'>, { method, url }: { method: string; url: string }): NoRoute {
  const path = url.split(/[?#]/, 1)[0]!
  const shown = path.slice(0, 200)
  const methods = app.methodsAt(path)
  // A route may itself decide that nothing exists at its path.
  if (methods.length === 0 || methods.includes(method)) return { code: 'route_not_found', message: `There is no route ${method} ${shown}.` }
  const allow = methods.join(', ')
  return { code: 'method_not_allowed', message: `${shown} does not support the method ${method}. Use ${allow}.`, allow }
}

export function noSuchRoute(request: FastifyRequest, reply: FastifyReply): Refusal {
  const { code, message, allow } = explainNoRoute(request.server, request)
  if (allow !== undefined) reply.header('allow', allow)
  return new Refusal(code, message)
}
