import type { DeletedReference, Reference, ReferenceInFull } from '../generated/schemas.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type Input } from '../operation.ts'
import type { CallOptions, Transport, WriteOptions } from '../transport.ts'

/** Queries with a title, a permalink, a chart and parameters. Change them with `client.references.patch`. */
export interface SavedQueries {
  /** All of them, newest first. */
  list(options?: ListOptions): List<Reference>
  get(shortId: string, options?: CallOptions): Promise<ReferenceInFull>
  /** Stores SQL and a reference to it. */
  create(input: Input<'savedQueries.create'>['body'], options?: WriteOptions): Promise<ReferenceInFull>
  /** One that others use is deleted only with `evenIfUsed: 'true'`. */
  delete(shortId: string, options?: CallOptions & NonNullable<Input<'savedQueries.delete'>['query']>): Promise<DeletedReference>
}

export function makeSavedQueries(transport: Transport): SavedQueries {
  return {
    list: (given = {}) =>
      makeList({ given, fetchPage: (query, options) => callOperation(transport, 'savedQueries.list', { query }, options) }),
    get: (shortId, options) => callOperation(transport, 'savedQueries.get', { params: { shortId } }, options),
    create: (body, options) => callOperation(transport, 'savedQueries.create', { body }, options),
    delete: (shortId, { evenIfUsed, ...options } = {}) => {
      const query = evenIfUsed === undefined ? {} : { evenIfUsed }
      return callOperation(transport, 'savedQueries.delete', { params: { shortId }, query }, options)
    },
  }
}
