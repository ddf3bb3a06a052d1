import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AuditExportFormat } from './generated/schemas.ts'
import { operationUrl, type Query } from './operations.ts'
import { request } from './request.ts'

export type { ActorKind, AuditAction, AuditRecord, KeyUse } from './generated/schemas.ts'

export type AuditFilter = Omit<Query<'GET /audit-log'>, 'limit' | 'cursor'>

export const auditLogOptions = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', 'list', filter],
    queryFn: ({ pageParam: cursor, signal }) => request('GET /audit-log', { query: { limit: 50, ...filter, cursor }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** One record by its ID; null if it is older than the log. */
export const auditRecordOptions = (id: string) =>
  queryOptions({
    queryKey: ['audit-log', 'one', id],
    queryFn: async ({ signal }) => {
      const { items } = await request('GET /audit-log', { query: { limit: 20, search: id }, signal })
      return items.find((record) => record.id === id) ?? null
    },
  })

export const auditActionsOptions = queryOptions({
  queryKey: ['audit-log', 'actions'],
  queryFn: async ({ signal }) => (await request('GET /audit-log/actions', { signal })).items,
  staleTime: Number.POSITIVE_INFINITY,
})

export const keyUseOptions = (days: number) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', 'key-use', days],
    queryFn: ({ pageParam: cursor, signal }) => request('GET /audit-log/key-use', { query: { limit: 50, days, cursor }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** The URL that downloads all matching records as a file. */
export const exportUrl = (format: AuditExportFormat, filter: AuditFilter) =>
  operationUrl('GET /audit-log/export', { query: { format, ...filter } })
