import type { DeletedReference, Reference, ReferenceInFull } from '../generated/schemas.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type Input } from '../operation.ts'
import type { CallOptions, Transport, WriteOptions } from '../transport.ts'
import { type ChangeFeed, makeChangeFeed } from './changes.ts'

export type ReferenceChanges = NonNullable<Input<'references.update'>['body']>

/**
 * Query references, and their change feeds. `list`, `get`, `create`, `update` and `delete` are deprecated: a service that has retired them
 * causes `RouteRetiredError`.
 */
export interface References extends ChangeFeed {
  /** All of them, newest first: `for await (const reference of client.references.list())`. */
  list(options?: ListOptions): List<Reference>
  get(shortId: string, options?: CallOptions): Promise<ReferenceInFull>
  /** Creates a permalink to an existing query. */
  create(input: { queryId: string }, options?: WriteOptions): Promise<Reference>
  update(shortId: string, changes: ReferenceChanges, options?: CallOptions): Promise<Reference>
  /** Its permalink returns 404 from then on; the query is kept. */
  delete(shortId: string, options?: CallOptions): Promise<DeletedReference>
}

export function makeReferences(transport: Transport): References {
  return {
    ...makeChangeFeed(transport),
    list: (given = {}) =>
      makeList({
        given,
        fetchPage: (query, options) => callOperation(transport, 'references.list', { query }, options),
      }),
    get: (shortId, options) => callOperation(transport, 'references.get', { params: { shortId } }, options),
    create: (body, options) => callOperation(transport, 'references.create', { body }, options),
    update: (shortId, body, options) => callOperation(transport, 'references.update', { params: { shortId }, body }, options),
    delete: (shortId, options) => callOperation(transport, 'references.delete', { params: { shortId } }, options),
  }
}
