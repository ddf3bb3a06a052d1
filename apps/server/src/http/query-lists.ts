import type { FastifyRequest } from 'fastify'

/**
 * Of a parameter that may have several values: `?type=a&type=b` and `?type=a,b` are the same list, and `?type=a` is
 * one of one. For the routes that have such a parameter; elsewhere one that is given twice is refused.
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
