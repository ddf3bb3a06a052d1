import type { FastifyRequest } from 'fastify'

/**
 * Reads parameters that accept several values: `?type=a&type=b` and `?type=a,b` are the same list, and `?type=a` is a list with one
 * value. Other parameters are rejected when they are repeated.
 */
export function readQueryLists(...names: string[]) {
  return async (request: FastifyRequest): Promise<void> => {
    const query = request.query as Record<string, unknown>
    for (const name of names) {
      if (query[name] === undefined) continue
      query[name] = [query[name]].flat().flatMap((each) => (typeof each === 'string' ? each.split(',') : [each]))
    }
  }
}
