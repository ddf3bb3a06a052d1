import type { QueryResult } from './generated/schemas.ts'
import { type Input, requestFor } from './operation.ts'
import { type CallOptions, readJson, type Transport } from './transport.ts'

export type ResultFormat = NonNullable<NonNullable<Input<'queries.result'>['query']>['format']>

/** A result and its etag: send it as `ifNoneMatch` next time. */
export interface FetchedResult extends QueryResult {
  isNotModified: false
  etag: string | undefined
}

/** The copy identified by `ifNoneMatch` is still current. */
export interface ResultNotModified {
  isNotModified: true
  etag: string | undefined
}

export interface ResultStreamOptions extends CallOptions {
  /** JSON by default. Other formats are converted while they are sent: nothing is held in memory, however large the result. */
  format?: ResultFormat | undefined
  /** With `csv`: texts unchanged, including those that a spreadsheet would run as formulas. */
  isRaw?: boolean | undefined
}

interface ResultOptions extends ResultStreamOptions {
  ifNoneMatch?: string
}

export async function readResult(
  transport: Transport,
  queryId: string,
  options: ResultOptions,
): Promise<FetchedResult | ResultNotModified> {
  return transport.send(resultRequest(queryId, options), options, async (response) => {
    const etag = response.headers.get('etag') ?? undefined
    if (response.status === 304) return { isNotModified: true, etag }
    return { ...(await readJson<QueryResult>(response)), isNotModified: false, etag }
  })
}

export async function openResult(transport: Transport, queryId: string, options: ResultOptions): Promise<Response> {
  return transport.open(resultRequest(queryId, options), options)
}

function resultRequest(queryId: string, { format, isRaw, ifNoneMatch }: ResultOptions) {
  const query = { ...(format && { format }), ...(isRaw && { raw: '1' as const }) }
  const request = requestFor('queries.result', { params: { queryId }, query })
  // The format decides what is sent.
  const accept = format && format !== 'json' ? '*/*' : 'application/json'
  return { ...request, headers: { accept, ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }) } }
}
