import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Page, pageAddress, type PageOptions } from './pages.ts'
import { request } from './request.ts'
import type { ParameterValues, Run } from './runs.ts'

export interface Reference {
  id: string
  shortId: string
  title: string
  description: string | null
  /** True while the query it points to does not exist yet. */
  isOptimistic: boolean
  createdBy: string
  createdAt: string
  updatedAt: string
  currentQuery: { id: string; sql: string }
}

export interface ParameterDefinition {
  name: string
  displayName: string
  type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean'
  /** The empty string means: no default, except for `text` where it is one. */
  defaultValue: string
  description: string
}

export interface Visualization {
  type: 'table' | 'number' | 'line' | 'bar' | 'area' | 'scatter' | 'pie'
  jsxConfig: string
  marginConfig: { top: number; right: number; bottom: number; left: number }
}

export interface ReferenceInFull extends Reference {
  visualization?: Visualization
  parameters: ParameterDefinition[]
}

/** As a list shows it: with what helps to choose among many. */
export interface FoundReference extends Reference {
  createdByName: string
  /** Null while it is optimistic. */
  analyticalDatabaseConfigId: string | null
  visualizationType: Visualization['type'] | null
  /** Of the query it points to. */
  latestRun: { id: string; status: Run['status']; runAt: string; completedAt: string | null } | null
}

export interface ReferenceFilters {
  /** Words of the title, the description or the SQL; the empty text finds everything. */
  search: string
  /** A database's id; the empty text is any. */
  database: string
  isMine: boolean
}

const filterSearch = ({ search, database, isMine }: ReferenceFilters) => ({
  ...(search !== '' && { search }),
  ...(database !== '' && { database }),
  ...(isMine && { createdBy: 'me' }),
})

/** Newest first. What was found before stays on the screen until the new is there, so that nothing flickers while one types. */
export const foundReferencesOptions = (filters: ReferenceFilters) =>
  infiniteQueryOptions({
    queryKey: ['references', 'found', filters],
    queryFn: ({ signal, pageParam }) => {
      const search = new URLSearchParams({ ...filterSearch(filters), limit: '30', ...(pageParam !== '' && { cursor: pageParam }) })
      return request<Page<FoundReference>>(`/references?${search}`, { signal })
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    placeholderData: keepPreviousData,
  })

export const listReferences = ({ signal, ...page }: PageOptions = {}) =>
  request<Page<Reference>>(pageAddress('/references', page), { ...(signal && { signal }) })

/**
 * The newest ones in whose title, description or SQL the words are. The service looks through so many queries at a time: where it found
 * none yet, it is asked to look further back, a few times.
 */
export async function findReferences(options: { search: string; limit: number; signal: AbortSignal }): Promise<Page<Reference>> {
  const { search, limit, signal } = options
  let cursor: string | undefined
  for (let tries = 1; ; tries++) {
    const address = `/references?${new URLSearchParams({ search, limit: String(limit), ...(cursor !== undefined && { cursor }) })}`
    const page = await request<Page<Reference>>(address, { signal })
    cursor = page.nextCursor
    if (page.items.length > 0 || cursor === undefined || tries === lookFurtherMax) return page
  }
}

const lookFurtherMax = 5

export const getReference = (shortId: string, signal: AbortSignal) =>
  request<ReferenceInFull>(`/references/${encodeURIComponent(shortId)}`, { signal })

export const runReference = (shortId: string, parameterValues: ParameterValues) =>
  request<Run>(`/references/${encodeURIComponent(shortId)}/runs`, { method: 'POST', body: { parameterValues } })

export const referenceOptions = (shortId: string) =>
  queryOptions({ queryKey: ['references', shortId], queryFn: ({ signal }) => getReference(shortId, signal) })

export interface ReferenceContent {
  title?: string
  description?: string | null
  visualization?: Visualization | null
  parameters?: ParameterDefinition[]
}

export const createReference = (input: { queryId: string } & ReferenceContent) =>
  request<ReferenceInFull>('/references', { method: 'POST', body: input })

/** Changed SQL becomes a new query, to which only this reference moves. */
export const editReference = (shortId: string, edit: ReferenceContent & { sql?: string; analyticalDatabaseConfigId?: string }) =>
  request<ReferenceInFull>(`/references/${encodeURIComponent(shortId)}`, { method: 'PATCH', body: edit })

export const deleteReference = (shortId: string) =>
  request<unknown>(`/references/${encodeURIComponent(shortId)}`, { method: 'DELETE' })

/** Undoes a deletion. */
export const restoreReference = (shortId: string) =>
  request<ReferenceInFull>(`/references/${encodeURIComponent(shortId)}/restore`, { method: 'POST' })
