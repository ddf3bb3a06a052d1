import type { FastifyRequest } from 'fastify'
import { shortIdPattern } from '../domain/ids.ts'
import type { QueryServices } from '../domain/services.ts'
import { uuidPattern } from './schemas.ts'

type Lookups = Pick<QueryServices, 'findQuery' | 'findReference'>

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Starts to look for what the path names while the API key is looked up, so that a request waits for one answer of the store instead
     * of two. Nothing that was found is used unless the key is valid.
     */
    lookAhead?(request: FastifyRequest): Partial<Lookups>
  }
  interface FastifyRequest {
    ahead: Partial<Lookups> | undefined
  }
}

const uuid = new RegExp(uuidPattern)

/** Only for ids of the right form: a statement that fails would fail for all requests that share it. */
export const queryAhead =
  ({ findQuery }: Pick<Lookups, 'findQuery'>) =>
  ({ params }: FastifyRequest): Partial<Lookups> => {
    const { queryId } = params as { queryId: string }
    return uuid.test(queryId) && findQuery.ahead ? { findQuery: findQuery.ahead(queryId) } : {}
  }

export const referenceAhead =
  ({ findReference }: Pick<Lookups, 'findReference'>) =>
  ({ params }: FastifyRequest): Partial<Lookups> => {
    const { shortId } = params as { shortId: string }
    return shortIdPattern.test(shortId) && findReference.ahead ? { findReference: findReference.ahead(shortId) } : {}
  }

/** The lookups that were started ahead, where there are any. */
export const lookupsOf = (services: Lookups, { ahead }: FastifyRequest): Lookups => ({
  findQuery: ahead?.findQuery ?? services.findQuery,
  findReference: ahead?.findReference ?? services.findReference,
})
