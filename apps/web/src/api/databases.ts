import { queryOptions } from '@tanstack/react-query'
import type { Field } from './first-rows.ts'
import { request } from './request.ts'
import { upload, type UploadOptions } from './upload.ts'

/** An analytical database configuration: what queries run against. */
export interface Database {
  id: string
  name: string
  engine: 'duckdb'
  settings: { file: string }
  createdBy: string
  createdAt: string
  /** Tables and views when it was last looked at; null until then. */
  tableCount: number | null
  /** Null until somebody has tried it. */
  lastTest: LastTest | null
}

export interface DatabaseInFull extends Database {
  /** Saved queries that run against it: while there are any, it cannot be deleted. */
  savedQueryCount: number
}

export type TestOutcome = { ok: true; durationMs: number; version: string } | { ok: false; message: string }

export type LastTest = TestOutcome & { testedAt: string }

export interface Column {
  name: string
  type: string
  nullable: boolean
}

export interface Table {
  schema: string
  name: string
  kind: 'table' | 'view'
  columns: Column[]
  rowEstimate: number | null
}

export interface ImportedTable extends Table {
  rowCount: number
}

export interface TablePreview {
  fields: Field[]
  rows: unknown[][]
  /** The table has more rows than are shown. */
  hasMore: boolean
}

export type FileFormat = 'csv' | 'parquet'

const address = (id: string) => `/databases/${encodeURIComponent(id)}`

export const listDatabases = (signal: AbortSignal) => request<{ items: Database[] }>('/databases', { signal })

export const getDatabase = (id: string, signal: AbortSignal) => request<DatabaseInFull>(address(id), { signal })

/** Without a file it begins empty. */
export const addDatabase = (input: { name: string; file?: string }) =>
  request<Database>('/databases', {
    method: 'POST',
    body: { name: input.name, engine: 'duckdb', ...(input.file !== undefined && { settings: { file: input.file } }) },
  })

export const uploadDatabase = (input: { name: string; file: File }, options: UploadOptions) =>
  upload<Database>(`/databases/upload?${new URLSearchParams({ name: input.name })}`, input.file, options)

export const renameDatabase = (id: string, name: string) =>
  request<Database>(address(id), { method: 'PATCH', body: { name } })

export const deleteDatabase = (id: string) => request<void>(address(id), { method: 'DELETE' })

export const testDatabase = (id: string) => request<TestOutcome>(`${address(id)}/test`, { method: 'POST' })

export const importTable = (
  input: { databaseId: string; file: File; name: string; format: FileFormat; ifExists: 'refuse' | 'replace' },
  options: UploadOptions,
) => {
  const { name, format, ifExists } = input
  const search = new URLSearchParams({ name, format, ifExists })
  return upload<ImportedTable>(`${address(input.databaseId)}/tables?${search}`, input.file, options)
}

export const databasesOptions = () =>
  queryOptions({
    queryKey: ['databases'],
    queryFn: async ({ signal }) => (await listDatabases(signal)).items,
  })

export const databaseOptions = (id: string) =>
  queryOptions({ queryKey: ['databases', id], queryFn: ({ signal }) => getDatabase(id, signal) })

/** A schema changes seldom, and asking for it starts an engine: what is known is used for five minutes. */
export const tablesOptions = (databaseId: string) =>
  queryOptions({
    queryKey: ['databases', databaseId, 'tables'],
    queryFn: async ({ signal }) => {
      const { items } = await request<{ items: Table[] }>(`${address(databaseId)}/tables`, { signal })
      return items
    },
    staleTime: 5 * 60_000,
  })

export const previewOptions = (databaseId: string, table: Pick<Table, 'schema' | 'name'>) =>
  queryOptions({
    queryKey: ['databases', databaseId, 'tables', table.schema, table.name, 'preview'],
    queryFn: ({ signal }) => {
      const place = `${encodeURIComponent(table.schema)}/${encodeURIComponent(table.name)}`
      return request<TablePreview>(`${address(databaseId)}/tables/${place}/preview`, { signal })
    },
    staleTime: 60_000,
  })
