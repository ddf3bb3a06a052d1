import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { errorCodesKey } from './responses.ts'
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
 * Any URL may return these before a route is reached, so no route lists them: an unknown path or method, a late body, and too many
 * requests.
 */
const codesWithoutRoute: ErrorCode[] = ['route_not_found', 'method_not_allowed', 'request_timeout', 'too_many_requests']

/**
 * Serves the OpenAPI document of `/api`, generated from the schemas that validate and serialize. The web app's own routes are not part
 * of it.
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
          'Authenticate with an API key: `Authorization: Bearer qp_live_…`. Use `GET /api/me` to check a key.',
          'Every error has a stable `code` and a `documentation_url`. Every response has an `x-request-id` header; if you send your own (8 to 64 letters, digits, `_`, `.`, `-`), it is used.',
          'The routes below `/api/queries` are deprecated: they work until the operator retires them, then return 404 `route_retired` permanently.',
        ].join('\n\n'),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      } as { title: string; version: string },
      externalDocs: { url: `${options.baseUrl}/docs`, description: 'Guides, errors, and how to receive webhooks' },
      servers: [{ url: options.baseUrl }],
      tags: [
        { name: 'Account', description: 'Check an API key: its user, organization and name.' },
        { name: 'Databases', description: 'Databases that queries run against, and SQL to run in them.' },
        { name: 'Saved queries', description: 'Queries with a title, a permalink, a chart and parameters.' },
        { name: 'Automations', description: 'Create automations, start them and follow their runs.' },
        { name: 'Webhook endpoints', description: 'URLs that receive events as signed requests.' },
        { name: 'Boards', description: 'Pages of charts and figures over queries.' },
        { name: 'Folders', description: 'Folders of boards and queries.' },
        { name: 'Result history', description: 'What saved queries returned in the past, and what changed.' },
        { name: 'Change feed', description: 'Follow how the result of a saved query changes, row by row.' },
        { name: 'Lineage', description: 'What saved queries read, and what uses them.' },
        { name: 'Chats', description: 'Ask questions in plain words and follow the answers.' },
        { name: 'Proofs', description: 'Check the figures of summaries and answers.' },
        { name: 'Knowledge', description: 'Metrics that people agreed on, which agents use.' },
        { name: 'dbt', description: 'Descriptions of tables from dbt projects.' },
        { name: 'Files', description: 'Everything that has a file, in one read and one write.' },
        { name: 'Evaluations', description: 'Measure how well the model answers questions with known answers.' },
        { name: 'Events', description: 'Receive events on a development machine without a public URL.' },
        {
          name: 'Query references',
          description: 'Bookmarks with permalinks that point to queries. Deprecated.',
        },
        { name: 'Queries', description: 'Stored SQL with its runs and cached results. Deprecated.' },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'qp_live_…',
            description: 'An API key from the account settings. It can access only its own organization.',
          },
        },
        headers: {
          RequestId: {
            description: 'Identifies the request in the service’s log: the caller’s own `x-request-id`, or a generated one.',
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

/** Lists the possible codes at each error response, names the schemas, and collects all codes. */
function finish(document: Document): Document {
  const codes = new Set<string>(codesWithoutRoute)
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
