import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { NewReference, ParameterDefinition, ReferenceChange, Visualization } from './generated/schemas.ts'
import type { Answer } from './operations.ts'
import type { PageOptions } from './pages.ts'
import { request } from './request.ts'
import type { ParameterValues } from './runs.ts'

export type { FoundReference, ParameterDefinition, ReferenceInFull, ReferenceVersion, ReferenceVersionInFull, Visualization } from './generated/schemas.ts'

export interface ReferenceFilters {
  /** Words in the title, description or SQL. An empty text matches everything. */
  search: string
  /** The ID of a database. An empty text matches any. */
  database: string
  isMine: boolean
  /** The ID of a folder, `none` for queries in no folder. An empty text matches any. */
  folder: string
  /** An empty text matches any. */
  tag: string
  /** Only favorites of the person. */
  isFavorite: boolean
}

const filterQuery = ({ search, database, isMine, folder, tag, isFavorite }: ReferenceFilters) => ({
  search: search || undefined,
  database: database || undefined,
  createdBy: isMine ? ('me' as const) : undefined,
  folder: folder || undefined,
  tag: tag || undefined,
  favoriteOf: isFavorite ? ('me' as const) : undefined,
})

/** The page to load: of a search first the best matches, then the others in the order of the list. */
type FoundPage = { isBest: true } | { cursor: string | undefined; shownIds?: ReadonlySet<string> }

const firstPageOf = ({ search }: ReferenceFilters): FoundPage => (search.trim() === '' ? { cursor: undefined } : { isBest: true })

/**
 * All references newest first, or those that match a search, best first. Earlier results stay on the screen while new ones load, so
 * that nothing flickers while typing.
 */
export const foundReferencesOptions = (filters: ReferenceFilters) =>
  infiniteQueryOptions({
    queryKey: ['references', 'found', filters],
    queryFn: async ({ signal, pageParam }) => {
      const query = { ...filterQuery(filters), limit: 30 }
      if (!('isBest' in pageParam)) return listUnshown(query, pageParam, signal)
      return request('GET /references/best', { query: { ...query, search: filters.search.trim() }, signal })
    },
    initialPageParam: firstPageOf(filters),
    getNextPageParam: (page, pages): FoundPage | undefined => {
      const [first] = pages
      const shownIds = first && 'isComplete' in first ? new Set(first.items.map(({ id }) => id)) : undefined
      const isLast = 'isComplete' in page ? page.isComplete : page.nextCursor === undefined
      if (isLast) return undefined
      return { cursor: 'isComplete' in page ? undefined : page.nextCursor, ...(shownIds && { shownIds }) }
    },
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    placeholderData: keepPreviousData,
  })

/** A page of the list without the best matches, which are shown already; pages that hold nothing else are skipped. */
async function listUnshown(
  query: ReturnType<typeof filterQuery> & { limit: number },
  { cursor, shownIds }: { cursor: string | undefined; shownIds?: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<Answer<'GET /references'>> {
  let next = cursor
  for (;;) {
    const page = await request('GET /references', { query: { ...query, cursor: next }, signal })
    const items = shownIds ? page.items.filter(({ id }) => !shownIds.has(id)) : page.items
    // An empty page with a cursor is an answer of its own: the service has searched the newest queries only.
    if (items.length > 0 || page.items.length === 0 || page.nextCursor === undefined) return { ...page, items }
    next = page.nextCursor
  }
}

/** The references that match a search best. */
export const findBestReferences = ({ signal, ...query }: { search: string; limit: number; signal: AbortSignal }) =>
  request('GET /references/best', { query, signal })

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
  freshForSeconds?: number | null
}

export const createReference = (body: NewReference & { queryId: string }) => request('POST /references', { body })

/** Changed SQL becomes a new query, and only this reference moves to it. */
export const editReference = (shortId: string, body: ReferenceChange) =>
  request('PATCH /references/{shortId}', { params: { shortId }, body })

/** Rejected if others use it, unless the person has confirmed that. */
export const deleteReference = (shortId: string, { isConfirmed }: { isConfirmed: boolean }) =>
  request('DELETE /references/{shortId}', { params: { shortId }, query: isConfirmed ? { evenIfUsed: 'true' } : {} })

/** Undoes a deletion. */
export const restoreReference = (shortId: string) => request('POST /references/{shortId}/restore', { params: { shortId } })

export const referenceVersionsOptions = (shortId: string) =>
  infiniteQueryOptions({
    queryKey: ['references', shortId, 'versions'],
    queryFn: ({ signal, pageParam: cursor }) =>
      request('GET /references/{shortId}/versions', { params: { shortId }, query: { cursor, limit: 20 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    // Somebody who opens the history has often just changed something.
    staleTime: 0,
  })

/** A saved state never changes. */
export const referenceVersionOptions = (shortId: string, version: number) =>
  queryOptions({
    queryKey: ['references', shortId, 'versions', version],
    queryFn: ({ signal }) =>
      request('GET /references/{shortId}/versions/{version}', { params: { shortId, version: String(version) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Restores an earlier state as a new version. */
export const restoreReferenceVersion = (shortId: string, version: number) =>
  request('POST /references/{shortId}/versions/{version}/restore', { params: { shortId, version: String(version) } })
