import type { DeletedReference, PublishingReference, Reference, SavedReference, SavedReferences } from '../generated/schemas.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type ChangeOptions, type Input } from '../operation.ts'
import type { ReferencePatch } from './changes.ts'
import type { CallOptions, Transport, WriteOptions } from '../transport.ts'

/** Queries with a title, a permalink, a chart and parameters. */
export interface SavedQueries {
  /** All of them, newest first. */
  list(options?: ListOptions): List<Reference>
  get(shortId: string, options?: CallOptions): Promise<SavedReference>
  /** Stores SQL and a reference to it. */
  create(input: Input<'savedQueries.create'>['body'], options?: WriteOptions): Promise<SavedReference>
  /** Saves up to 100 queries: all of them or none. */
  createMany(input: Input<'savedQueries.createMany'>['body'], options?: WriteOptions): Promise<SavedReferences>
  /** Changes the given fields. */
  update(shortId: string, changes: ReferencePatch, options?: ChangeOptions): Promise<PublishingReference>
  /** One that others use is deleted only with `evenIfUsed: 'true'`. */
  delete(shortId: string, options?: ChangeOptions & NonNullable<Input<'savedQueries.delete'>['query']>): Promise<DeletedReference>
}

export function makeSavedQueries(transport: Transport): SavedQueries {
  return {
    list: (given = {}) =>
      makeList({ given, fetchPage: (query, options) => callOperation(transport, 'savedQueries.list', { query }, options) }),
    get: (shortId, options) => callOperation(transport, 'savedQueries.get', { params: { shortId } }, options),
    create: (body, options) => callOperation(transport, 'savedQueries.create', { body }, options),
    createMany: (body, options) => callOperation(transport, 'savedQueries.createMany', { body }, options),
    update: (shortId, body, options) => callOperation(transport, 'references.patch', { params: { shortId }, body }, options),
    delete: (shortId, { evenIfUsed, ...options } = {}) => {
      const query = evenIfUsed === undefined ? {} : { evenIfUsed }
      return callOperation(transport, 'savedQueries.delete', { params: { shortId }, query }, options)
    },
  }
}
