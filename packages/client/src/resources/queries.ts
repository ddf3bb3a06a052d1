import type { ListedQuery, Query, Run } from '../generated/schemas.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation } from '../operation.ts'
import { type RefreshAndWaitOptions, refreshAndWait } from '../refresh-and-wait.ts'
import { type FetchedResult, openResult, readResult, type ResultNotModified, type ResultStreamOptions } from '../results.ts'
import type { CallOptions, Transport, WriteOptions } from '../transport.ts'

/** Queries. Deprecated: a service that has retired them causes `RouteRetiredError`. */
export interface Queries {
  /** All of them, newest first: `for await (const query of client.queries.list())`. */
  list(options?: ListOptions): List<ListedQuery>
  get(queryId: string, options?: CallOptions): Promise<Query>
  /** Starts a run without waiting for it. */
  refresh(queryId: string, options?: WriteOptions): Promise<Run>
  /** Starts a run, waits for its end, and reads the result. A run that fails rejects with `RunFailedError`. */
  refreshAndWait(queryId: string, options?: RefreshAndWaitOptions): Promise<FetchedResult>
  /** The whole cached result of the latest successful run. For results too large for memory, see `resultStream`. */
  result(queryId: string, options?: CallOptions): Promise<FetchedResult>
  /** With the `etag` of a copy, which may still be current. */
  result(queryId: string, options: CallOptions & { ifNoneMatch: string }): Promise<FetchedResult | ResultNotModified>
  /** The result as a stream of bytes. `timeoutMs` covers the whole stream. */
  resultStream(queryId: string, options?: ResultStreamOptions): Promise<ReadableStream<Uint8Array>>
  /** The raw response, for passing it on: status 200, or 304 with `ifNoneMatch`; headers; an unread body. */
  resultResponse(queryId: string, options?: ResultStreamOptions & { ifNoneMatch?: string }): Promise<Response>
}

export function makeQueries(transport: Transport): Queries {
  return {
    list: (given = {}) =>
      makeList({ given, fetchPage: (query, options) => callOperation(transport, 'queries.list', { query }, options) }),
    get: (queryId, options) => callOperation(transport, 'queries.get', { params: { queryId } }, options),
    refresh: (queryId, options) => callOperation(transport, 'queries.refresh', { params: { queryId } }, options),
    refreshAndWait: (queryId, options) => refreshAndWait(transport, queryId, options),
    // The implementation of both overloads.
    result: ((queryId: string, options: CallOptions & { ifNoneMatch?: string } = {}) =>
      readResult(transport, queryId, options)) as Queries['result'],
    resultStream: async (queryId, options = {}) => (await openResult(transport, queryId, options)).body!,
    resultResponse: (queryId, options = {}) => openResult(transport, queryId, options),
  }
}
