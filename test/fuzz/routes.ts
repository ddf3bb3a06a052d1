import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { type Schema, withoutRefs } from './schema.ts'

/** The documented response for a status. */
export interface DescribedAnswer {
  /** Schemas by media type; empty if there is no body. */
  content: Record<string, Schema>
  codes: string[] | undefined
}

export interface FuzzRoute {
  method: string
  /** With `:name` for each parameter. */
  path: string
  /** `key`: a route of the API. `session`: a route of the web app. `open`: a route of the web app without authentication. */
  family: 'key' | 'session' | 'open'
  query: Schema | undefined
  body: Schema | undefined
  /** Only for routes of the API. */
  answers: Record<string, DescribedAnswer> | undefined
}

interface Document {
  paths: Record<string, Record<string, Operation>>
}
interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }>; 'x-error-codes'?: string[] }>
}

/** The routes of the OpenAPI document. */
export function publishedRoutes(document: unknown): FuzzRoute[] {
  const { paths } = withoutRefs(document as Document, document)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]): FuzzRoute => {
      const inQuery = parameters.filter((each) => each.in === 'query')
      const properties = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]))
      const answers = Object.entries(responses).map(([status, { content = {}, ...rest }]) => [
        status,
        {
          content: Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema])),
          codes: rest['x-error-codes'],
        },
      ])
      return {
        method: method.toUpperCase(),
        path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        family: 'key',
        query: inQuery.length > 0 ? { type: 'object', properties } : undefined,
        body: requestBody?.content['application/json']?.schema,
        answers: Object.fromEntries(answers) as Record<string, DescribedAnswer>,
      }
    }),
  )
}

/** Collects every route that is registered during `start`, with its Fastify schemas. */
export async function collectRoutes<Started>(
  start: () => Promise<Started>,
): Promise<{ started: Started; routes: FuzzRoute[] }> {
  const routes: FuzzRoute[] = []
  const collect = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, schema }) => {
      for (const each of [method].flat().filter((name) => name !== 'HEAD')) {
        const query = schema?.querystring as Schema | undefined
        const body = schema?.body as Schema | undefined
        routes.push({ method: each, path: url, family: 'session', query, body, answers: undefined })
      }
    })
  }
  subscribe('fastify.initialization', collect)
  const started = await start().finally(() => unsubscribe('fastify.initialization', collect))
  return { started, routes }
}

/** Routes that need no session. */
const needNoSession =
  /^\/app\/api\/(session|sign-in-options|oidc\/\w+|welcome(\/read)?|password-reset(\/\w+)?|invitations\/(read|accept))$/
const needSession = new Set(['GET /app/api/session', 'DELETE /app/api/session'])

/** The routes of the web app among the collected ones. */
export function pageRoutes(routes: FuzzRoute[]): FuzzRoute[] {
  return routes
    .filter(({ path }) => path.startsWith('/app/api/'))
    .map((route): FuzzRoute => {
      const isOpen = needNoSession.test(route.path) && !needSession.has(`${route.method} ${route.path}`)
      return isOpen ? Object.assign(route, { family: 'open' }) : route
    })
}
