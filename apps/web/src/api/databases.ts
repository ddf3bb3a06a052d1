import { queryOptions } from '@tanstack/react-query'
import type { Field } from './first-rows.ts'
import { request } from './request.ts'
import { upload, type UploadOptions } from './upload.ts'

/** An analytical database configuration: what queries run against. */
export type Database = DuckdbDatabase | ServerDatabase

export interface DuckdbDatabase extends OfEveryKind {
  engine: 'duckdb'
  settings: { file: string }
}

export interface ServerDatabase extends OfEveryKind {
  engine: ServerEngine
  settings: ServerSettings
  /** The password itself never leaves the service. */
  hasPassword: boolean
}

export type ServerEngine = 'postgres' | 'mysql' | 'clickhouse'

interface OfEveryKind {
  id: string
  name: string
  createdBy: string
  createdAt: string
  /** Tables and views when it was last looked at; null until then. */
  tableCount: number | null
  /** Null until somebody has tried it. */
  lastTest: LastTest | null
}

export interface ServerPlace {
  host: string
  port: number
}

/** How a database server is reached. */
export interface ServerSettings extends ServerPlace {
  otherHosts: ServerPlace[]
  database: string
  user: string
  tls: TlsMode
  /** PEM; null: those whom the service trusts anyway. */
  certificateAuthority: string | null
}

export type TlsMode = 'off' | 'encrypted' | 'verified'

/** What somebody has written of it: what goes without saying is left out. */
export interface GivenSettings extends Omit<ServerSettings, 'port' | 'otherHosts'> {
  port?: number
  otherHosts: { host: string; port?: number }[]
}

/** `password` left out: the stored one. */
export interface GivenConnection {
  settings: GivenSettings
  password?: string | null
}

export type DatabaseInFull = Database & {
  /** Saved queries that run against it, counted up to 1,000: while there are any, it cannot be deleted. */
  savedQueryCount: number
}

export type TestOutcome =
  | { ok: true; durationMs: number; version: string }
  /** `path`: the setting at fault, such as `/settings/port`, where that can be told. */
  | { ok: false; message: string; path?: string }

export type TriedConnection = TestOutcome & { tableCount: number | null }

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

export type FileFormat = 'csv' | 'jsonl' | 'json' | 'parquet'

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

export const addServerDatabase = (input: GivenConnection & { name: string; engine: ServerEngine }) =>
  request<Database>('/databases', { method: 'POST', body: input })

export const changeConnection = (id: string, given: GivenConnection) =>
  request<Database>(address(id), { method: 'PATCH', body: given })

/** Of settings that are not stored, or not yet: those of a new database, or a change of one. */
export const tryConnection = (input: GivenConnection & ({ engine: ServerEngine } | { id: string })) => {
  if (!('id' in input)) return request<TriedConnection>('/databases/test', { method: 'POST', body: input })
  const { id, ...given } = input
  return request<TriedConnection>(`${address(id)}/test`, { method: 'POST', body: given })
}

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
