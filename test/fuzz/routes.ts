import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { type Schema, withoutRefs } from './schema.ts'

/** What an answer of one status is described as. */
export interface DescribedAnswer {
  /** By media type; none: no body. */
  content: Record<string, Schema>
  codes: string[] | undefined
}

export interface FuzzRoute {
  method: string
  /** With `:name` for each parameter. */
  path: string
  /** `key`: of the published interface. `session`: of the pages. `open`: of the pages, for anybody. */
  family: 'key' | 'session' | 'open'
  query: Schema | undefined
  body: Schema | undefined
  /** Of the published interface only. */
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

/** What the OpenAPI document says: all that somebody from outside knows. */
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

/** Notes every route that is registered while `start` is under way, with the schemas that Fastify knows. */
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

/** Whoever asks for these is not signed in yet. */
const forAnybody =
  /^\/app\/api\/(session|sign-in-options|oidc\/\w+|welcome(\/read)?|password-reset(\/\w+)?|invitations\/(read|accept))$/
const needSession = new Set(['GET /app/api/session', 'DELETE /app/api/session'])

/** The pages' routes among those that were collected. */
export function pageRoutes(routes: FuzzRoute[]): FuzzRoute[] {
  return routes
    .filter(({ path }) => path.startsWith('/app/api/'))
    .map((route): FuzzRoute => {
      const isOpen = forAnybody.test(route.path) && !needSession.has(`${route.method} ${route.path}`)
      return isOpen ? Object.assign(route, { family: 'open' }) : route
    })
}
