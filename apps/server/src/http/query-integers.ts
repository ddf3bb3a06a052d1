import type { FastifyRequest } from 'fastify'

interface ObjectSchema {
  properties?: Record<string, { type?: unknown }>
}

/**
 * A query string holds only text: where its schema says integer, decimal digits become a number before it is validated.
 * Nothing else is coerced. A body's JSON has types of its own, and `{"title": 12}` is a mistake to be told of.
 */
export async function readQueryIntegers(request: FastifyRequest): Promise<void> {
  const schema = request.routeOptions.schema?.querystring as ObjectSchema | undefined
  const query = request.query as Record<string, unknown>
  for (const [name, { type }] of Object.entries(schema?.properties ?? {})) {
    const text = query[name]
    if (type === 'integer' && typeof text === 'string' && /^-?\d+$/.test(text)) query[name] = Number(text)
  }
}
