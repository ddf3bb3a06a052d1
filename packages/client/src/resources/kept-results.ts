import type { ChangedRow, ExplainedChange, KeptResult, QueryResult, ResultComparison } from '../generated/schemas.ts'
import { readJsonLines } from '../json-lines.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type Input, requestFor } from '../operation.ts'
import type { ResultStreamOptions } from '../results.ts'
import { type CallOptions, readJson, type Transport } from '../transport.ts'

export interface CompareOptions extends CallOptions {
  /** The runs of the earlier and the later result. */
  from: string
  to: string
  /** The columns that identify a row. By default they are inferred. */
  keyColumns?: string[] | undefined
}

export interface WhyOptions extends CompareOptions {
  /** The column whose sum is explained. By default, the first five columns that can be added up. */
  measure?: string | undefined
  /** A column by whose sum that of the measure is divided, to explain a ratio. */
  denominator?: string | undefined
}

/** The results of a reference over time. */
export interface KeptResults {
  /** All of them, newest first: `for await (const result of client.results.list(shortId))`. */
  list(shortId: string, options?: ListOptions): List<KeptResult>
  get(shortId: string, runId: string, options?: CallOptions): Promise<QueryResult>
  /** The bytes of a result in any format. Results of any size are streamed. */
  stream(shortId: string, runId: string, options?: ResultStreamOptions): Promise<ReadableStream<Uint8Array>>
  /** The whole comparison, with all changed rows in memory. */
  compare(shortId: string, options: CompareOptions): Promise<ResultComparison>
  /** The changed rows, one at a time. */
  changedRows(shortId: string, options: CompareOptions): AsyncGenerator<ChangedRow>
  /** Why two results differ: what SQL, parameters and data contribute, exactly. */
  why(shortId: string, options: WhyOptions): Promise<ExplainedChange>
}

export function makeKeptResults(transport: Transport): KeptResults {
  return {
    list: (shortId, given = {}) =>
      makeList({
        given,
        fetchPage: (query, options) => callOperation(transport, 'results.list', { params: { shortId }, query }, options),
      }),
    get: (shortId, runId, options) => {
      const request = requestFor('results.get', { params: { shortId, runId } })
      return transport.send({ ...request, headers: { accept: 'application/json' } }, options ?? {}, (response) => readJson<QueryResult>(response))
    },
    async stream(shortId, runId, options = {}) {
      const { format, isRaw } = options
      const query = { ...(format && { format }), ...(isRaw && { raw: '1' as const }) }
      const request = requestFor('results.get', { params: { shortId, runId }, query })
      const response = await transport.open({ ...request, headers: { accept: '*/*' } }, options)
      return response.body!
    },
    compare: (shortId, options) =>
      transport.send({ ...compareRequest(shortId, options, 'json'), headers: { accept: 'application/json' } }, options, (response) =>
        readJson<ResultComparison>(response),
      ),
    async *changedRows(shortId, options) {
      const response = await transport.open({ ...compareRequest(shortId, options, 'jsonl'), headers: { accept: '*/*' } }, options)
      yield* readJsonLines<ChangedRow>(response.body!)
    },
    why(shortId, { from, to, measure, denominator, keyColumns, ...options }) {
      const query = { from, to, ...(measure && { measure }), ...(denominator && { denominator }), ...(keyColumns && { keyColumns }) }
      return callOperation(transport, 'results.why', { params: { shortId }, query }, options)
    },
  }
}

function compareRequest(shortId: string, { from, to, keyColumns }: CompareOptions, format: 'json' | 'jsonl') {
  const query: Input<'results.compare'>['query'] = { from, to, format, ...(keyColumns && { keyColumns }) }
  return requestFor('results.compare', { params: { shortId }, query })
}
