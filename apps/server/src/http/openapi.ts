import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { errorCodesKey } from './answers.ts'
import type { ErrorCode } from '../model/error-code.ts'
import { nameSchemas } from './openapi-names.ts'
import { forbidNul } from './openapi-text.ts'
import { describedWebhooks } from './openapi-webhooks.ts'

interface Operation {
  parameters?: { schema: Record<string, unknown> }[]
  requestBody?: unknown
  responses: Record<string, Answer>
}
interface Answer {
  headers?: object
  content?: Record<string, { schema: Record<string, unknown> }>
  [errorCodesKey]?: string[]
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: unknown
  components: { schemas: Record<string, Record<string, unknown>>; headers: object }
}

/**
 * Any address may be answered so before a route has its say, so these are in no route's list: an unknown path or method, a body that
 * is late, and too many requests.
 */
const codesOfNoRoute: ErrorCode[] = ['route_not_found', 'method_not_allowed', 'request_timeout', 'too_many_requests']

/**
 * The OpenAPI document of `/api`, made of the schemas that validate and serialise. The pages' own routes are not in
 * it.
 */
export async function addOpenapi(app: FastifyInstance, options: { baseUrl: string }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Querypost',
        version: '1.0.0',
        summary: 'Stored SQL queries with cached results and permalinks, automations, and signed webhooks.',
        description: [
          'Programs call these routes with an API key: `Authorization: Bearer qp_live_…`. `GET /api/me` shows whether a key works.',
          'Every error has a stable `code` and a `documentation_url`. Every answer carries `x-request-id`; send your own (8 to 64 letters, digits, `_`, `.`, `-`) and it is used.',
          'The routes below `/api/queries` are published as retired: they work while the operator keeps them on, and answer 404 `route_retired` for good once they are not.',
        ].join('\n\n'),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      } as { title: string; version: string },
      externalDocs: { url: `${options.baseUrl}/docs`, description: 'Guides, errors, and how to receive webhooks' },
      servers: [{ url: options.baseUrl }],
      tags: [
        { name: 'Account', description: 'Whose key this is: the first thing to try with a new one.' },
        { name: 'Automations', description: 'Starting an automation from a program, and seeing how its run goes.' },
        { name: 'Events', description: 'Events on a developer’s machine, which has no public address for webhooks.' },
        {
          name: 'Query references',
          description: 'Bookmarks that point to queries and have permalinks. Published as retired.',
        },
        { name: 'Queries', description: 'Stored SQL, its runs and cached results. Published as retired.' },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'qp_live_…',
            description: 'An API key of the account settings. It sees what its organization has, and nothing of others.',
          },
        },
        headers: {
          RequestId: {
            description: 'Names this request in the service’s log: the caller’s own `x-request-id`, or a new one.',
            schema: { type: 'string' },
            example: 'req_5yT2mVq8Kd0aZr7LwXcB1n',
          },
        },
      },
      security: [{ apiKey: [] }],
    },
    transform: ({ schema, url }) =>
      url.startsWith('/api/') ? { schema: schema ?? {}, url } : { schema: { ...schema, hide: true }, url },
    transformObject: (made) =>
      finish('openapiObject' in made ? (made.openapiObject as unknown as Document) : never()) as object,
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}

/** Says at each refusal which codes it may carry, gives the schemas their names, and lists all codes there are. */
function finish(document: Document): Document {
  const codes = new Set<string>(codesOfNoRoute)
  for (const { responses } of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    for (const response of Object.values(responses)) {
      response.headers = { ...response.headers, 'x-request-id': { $ref: '#/components/headers/RequestId' } }
      for (const { schema } of Object.values(response.content ?? {})) {
        const its = schema[errorCodesKey] as string[] | undefined
        if (!its) continue
        delete schema[errorCodesKey]
        response[errorCodesKey] = its
        for (const code of its) codes.add(code)
      }
    }
  }
  const schemas: Document['components']['schemas'] = {}
  const paths = nameSchemas(document.paths, schemas) as Document['paths']
  forbidNul(Object.values(paths).flatMap((path) => Object.values(path)), schemas)
  const webhooks = nameSchemas(describedWebhooks, schemas)
  schemas['ErrorCode']!['enum'] = [...codes].toSorted()
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { ...document, paths, webhooks, components: { ...document.components, schemas: sorted } }
}

function never(): never {
  throw new Error('The document is OpenAPI, not Swagger 2.')
}
