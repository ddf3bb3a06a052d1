import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Page } from './pages.ts'
import { request } from './request.ts'

export type ActorKind = 'user' | 'key' | 'agent' | 'service' | 'operator' | 'anonymous'

export type AuditValue = string | number | boolean | null | AuditValue[] | { [key: string]: AuditValue }

/** Who did what to what, when, and from where. Names are those of the moment. */
export interface AuditRecord {
  id: string
  occurredAt: string
  action: string
  actor: {
    kind: ActorKind
    id: string | null
    /** Of the key, or of the automation. */
    name: string | null
    /** The person who acted, or for whom a key or an agent did. */
    user: { id: string; name: string; email: string } | null
  }
  subject: { type: string; id: string | null; name: string | null }
  details: { changes?: Record<string, { before: AuditValue; after: AuditValue }> } & Record<string, AuditValue | undefined>
  address: string | null
  requestId: string | null
}

export interface AuditAction {
  action: string
  group: string
  meaning: string
}

export interface AuditFilter {
  actor?: string
  action?: string
  subject?: string
  search?: string
  from?: string
}

interface Counts {
  requestCount: number
  refusedCount: number
  failedCount: number
}

export interface KeyUse extends Counts {
  id: string
  name: string
  prefix: string | null
  isRevoked: boolean
  user: { id: string; name: string; email: string }
  lastAt: string
  lastAddress: string | null
  /** `YYYY-MM-DD`, UTC; days without a request are left out. */
  days: ({ day: string } & Counts)[]
  routes: ({ route: string; lastAt: string; lastStatus: number; lastAddress: string | null } & Counts)[]
}

export interface KeyUsePage extends Page<KeyUse> {
  from: string
  days: number
}

export const auditLogOptions = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', 'list', filter],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ limit: '50', ...filter, ...(pageParam !== null && { cursor: pageParam }) })
      return request<Page<AuditRecord>>(`/audit-log?${search}`, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** One record by its id; null when it is older than the log. */
export const auditRecordOptions = (id: string) =>
  queryOptions({
    queryKey: ['audit-log', 'one', id],
    queryFn: async ({ signal }) => {
      const search = new URLSearchParams({ limit: '20', search: id })
      const { items } = await request<Page<AuditRecord>>(`/audit-log?${search}`, { signal })
      return items.find((record) => record.id === id) ?? null
    },
  })

export const auditActionsOptions = queryOptions({
  queryKey: ['audit-log', 'actions'],
  queryFn: async ({ signal }) => (await request<{ items: AuditAction[] }>('/audit-log/actions', { signal })).items,
  staleTime: Number.POSITIVE_INFINITY,
})

export const keyUseOptions = (days: number) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', 'key-use', days],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ limit: '50', days: String(days), ...(pageParam !== null && { cursor: pageParam }) })
      return request<KeyUsePage>(`/audit-log/key-use?${search}`, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** Where the browser finds all records that the filters leave, as a file. */
export const exportAddress = (format: 'csv' | 'jsonl', filter: AuditFilter) =>
  `/app/api/audit-log/export?${new URLSearchParams({ format, ...filter })}`
