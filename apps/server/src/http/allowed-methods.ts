import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route exists to say that its method is not allowed. */
    isNotAllowed?: boolean
  }
  interface FastifyInstance {
    /** The methods that a path has routes for, sorted; none for a path that does not exist. */
    methodsAt(path: string): string[]
  }
}

/** Answers for every address that has no route of its own. */
const catchAll = '/*'

/** Remembers the routes that are added from here on. */
export function addAllowedMethods(app: FastifyInstance): void {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (url === catchAll || config?.isNotAllowed) return
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const one of [method].flat()) route.methods.add(one)
    routes.set(url, route)
  })
  app.decorate('methodsAt', (path) => {
    const spelled = decodedPath(path)
    const found = new Set<string>()
    for (const { pattern, methods } of routes.values()) {
      if (pattern.test(spelled)) for (const method of methods) found.add(method)
    }
    return [...found].toSorted()
  })
}

/** `/queries/:id` has any one piece in the place of `:id`; a star at the end stands for whatever follows. */
function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`, 's')
}

/** As the router reads it: each piece by itself, so that an encoded slash does not end one. */
function decodedPath(path: string): string {
  return path.split('/').map(decodedPiece).join('/')
}

function decodedPiece(piece: string): string {
  try {
    return decodeURIComponent(piece).replaceAll('/', '_')
  } catch {
    return piece
  }
}

export interface NoRoute {
  code: 'route_not_found' | 'method_not_allowed'
  message: string
  /** For the `Allow` header. */
  allow?: string
}

/** Why a request led to no route: there is no such path, or it does not have the method. */
export function judgeNoRoute(app: Pick<FastifyInstance, 'methodsAt'>, { method, url }: { method: string; url: string }): NoRoute {
  const path = url.split(/[?#]/, 1)[0]!
  const shown = path.slice(0, 200)
  const methods = app.methodsAt(path)
  // A route may also find that there is nothing at its path.
  if (methods.length === 0 || methods.includes(method)) return { code: 'route_not_found', message: `There is no ${method} ${shown} here.` }
  const allow = methods.join(', ')
  return { code: 'method_not_allowed', message: `${shown} does not have the method ${method}. Use ${allow}.`, allow }
}

export function noSuchRoute(request: FastifyRequest, reply: FastifyReply): Refusal {
  const { code, message, allow } = judgeNoRoute(request.server, request)
  if (allow !== undefined) reply.header('allow', allow)
  return new Refusal(code, message)
}
