import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { NewReference, ParameterDefinition, ReferenceChange, Visualization } from './generated/schemas.ts'
import type { Answer } from './operations.ts'
import type { PageOptions } from './pages.ts'
import { request } from './request.ts'
import type { ParameterValues } from './runs.ts'

export type { FoundReference, ParameterDefinition, ReferenceInFull, Visualization } from './generated/schemas.ts'

export interface ReferenceFilters {
  /** Words in the title, description or SQL. An empty text matches everything. */
  search: string
  /** The ID of a database. An empty text matches any. */
  database: string
  isMine: boolean
}

const filterQuery = ({ search, database, isMine }: ReferenceFilters) => ({
  search: search || undefined,
  database: database || undefined,
  createdBy: isMine ? ('me' as const) : undefined,
})

/** Newest first. Earlier results stay visible until new ones arrive, so that nothing flickers while typing. */
export const foundReferencesOptions = (filters: ReferenceFilters) =>
  infiniteQueryOptions({
    queryKey: ['references', 'found', filters],
    queryFn: ({ signal, pageParam: cursor }) =>
      request('GET /references', { query: { ...filterQuery(filters), limit: 30, cursor }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    placeholderData: keepPreviousData,
  })

export const listReferences = ({ signal, ...query }: PageOptions = {}) => request('GET /references', { query, signal })

/**
 * The newest references with the words in their title, description or SQL. The service searches a limited number of queries per
 * request, so while a page is empty this continues, a few times at most.
 */
export async function findReferences(options: {
  search: string
  limit: number
  signal: AbortSignal
}): Promise<Answer<'GET /references'>> {
  const { signal, ...query } = options
  let cursor: string | undefined
  for (let requests = 1; ; requests++) {
    const page = await request('GET /references', { query: { ...query, cursor }, signal })
    cursor = page.nextCursor
    if (page.items.length > 0 || cursor === undefined || requests === maxSearchRequests) return page
  }
}

const maxSearchRequests = 5

export const getReference = (shortId: string, signal: AbortSignal) =>
  request('GET /references/{shortId}', { params: { shortId }, signal })

export const runReference = (shortId: string, parameterValues: ParameterValues) =>
  request('POST /references/{shortId}/runs', { params: { shortId }, body: { parameterValues } })

export const referenceOptions = (shortId: string) =>
  queryOptions({ queryKey: ['references', shortId], queryFn: ({ signal }) => getReference(shortId, signal) })

/** The fields of a reference that pages edit. A chart or parameters are sent as a whole. */
export type ReferenceContent = Pick<NewReference, 'title' | 'description'> & {
  visualization?: Visualization | null
  parameters?: ParameterDefinition[]
}

export const createReference = (body: NewReference & { queryId: string }) => request('POST /references', { body })

/** Changed SQL becomes a new query, and only this reference moves to it. */
export const editReference = (shortId: string, body: ReferenceChange) =>
  request('PATCH /references/{shortId}', { params: { shortId }, body })

export const deleteReference = (shortId: string) => request('DELETE /references/{shortId}', { params: { shortId } })

/** Undoes a deletion. */
export const restoreReference = (shortId: string) => request('POST /references/{shortId}/restore', { params: { shortId } })
