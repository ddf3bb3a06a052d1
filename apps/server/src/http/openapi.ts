import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'

/** The OpenAPI document of `/api`, made of the schemas that validate and serialise. The pages' own routes are not in it. */
export async function addOpenapi(app: FastifyInstance, options: { baseUrl: string }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Querypost',
        version: '1.0.0',
        description:
          'Stored SQL queries, their cached results and the references that point to them. Every error has a stable `code` and a `documentation_url`.',
      },
      servers: [{ url: options.baseUrl }],
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'qp_live_…' } } },
      security: [{ apiKey: [] }],
    },
    transform: ({ schema, url }) =>
      url.startsWith('/api/') ? { schema: schema ?? {}, url } : { schema: { ...schema, hide: true }, url },
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
