import type { FastifyRequest } from 'fastify'

interface ObjectSchema {
  properties?: Record<string, { type?: unknown }>
}

/**
 * Query strings contain only text: if the schema says integer, decimal digits become a number before validation. Nothing else is
 * coerced. JSON bodies have types, so `{"title": 12}` is a mistake that the caller should see.
 */
export async function readQueryIntegers(request: FastifyRequest): Promise<void> {
  const schema = request.routeOptions.schema?.querystring as ObjectSchema | undefined
  const query = request.query as Record<string, unknown>
  for (const [name, { type }] of Object.entries(schema?.properties ?? {})) {
    const text = query[name]
    if (type === 'integer' && typeof text === 'string' && /^-?\d+$/.test(text)) query[name] = Number(text)
  }
}
