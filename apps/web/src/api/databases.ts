import { queryOptions } from '@tanstack/react-query'
import type { Database, FileEngine, FileFormat, ServerEngine, ServerPlace, ServerSettings, Table, TriedConnection } from './generated/schemas.ts'
import { type CsvReading, readingQuery } from './file-preview.ts'
import { request } from './request.ts'
import { upload, type UploadOptions } from './upload.ts'

export type {
  Column,
  Database,
  DatabaseInFull,
  FileEngine,
  FileFormat,
  ImportedTable,
  LastTest,
  ServerDatabase,
  ServerEngine,
  ServerSettings,
  Table,
  TestOutcome,
  TlsMode,
  TriedConnection,
} from './generated/schemas.ts'

type PlaceWithoutPort = Pick<ServerPlace, 'host'> & Partial<ServerPlace>

/** Settings as entered by a person. A default port is left out. */
export type GivenSettings = Omit<ServerSettings, 'port' | 'otherHosts'> & PlaceWithoutPort & { otherHosts: PlaceWithoutPort[] }

/** Without `password` the stored one is used. */
export interface GivenConnection {
  settings: GivenSettings
  password?: string | null
}

/** Without a file the database starts empty. */
export const addDatabase = ({ name, engine, file }: { name: string; engine: FileEngine; file?: string }) =>
  request('POST /databases', { body: { name, engine, ...(file !== undefined && { settings: { file } }) } })

export const uploadDatabase = (input: { name: string; engine: FileEngine; file: File }, options: UploadOptions) => {
  const { file, ...query } = input
  return upload('POST /databases/upload', file, { query }, options)
}

export const renameDatabase = (id: string, name: string) => request('PATCH /databases/{id}', { params: { id }, body: { name } })

export const addServerDatabase = (body: GivenConnection & { name: string; engine: ServerEngine }) =>
  request('POST /databases', { body })

export const changeConnection = (id: string, body: GivenConnection) => request('PATCH /databases/{id}', { params: { id }, body })

/** Tests settings that are not saved yet, of a new or an existing database. */
export const tryConnection = async (
  input: GivenConnection & ({ engine: ServerEngine } | { id: string }),
): Promise<TriedConnection> => {
  if (!('id' in input)) return request('POST /databases/test', { body: input })
  const { id, ...body } = input
  const tried = await request('POST /databases/{id}/test', { params: { id }, body })
  return 'tableCount' in tried ? tried : { ...tried, tableCount: null }
}

export const deleteDatabase = (id: string) => request('DELETE /databases/{id}', { params: { id } })

export const testDatabase = (id: string) => request('POST /databases/{id}/test', { params: { id } })

export const importTable = (
  input: {
    databaseId: string
    file: File
    name: string
    format: FileFormat
    ifExists: 'refuse' | 'replace' | 'append' | 'upsert'
    keys: string[]
    reading?: CsvReading
    sheet?: string | undefined
  },
  options: UploadOptions,
) => {
  const { databaseId, file, keys, reading, ...named } = input
  const query = { ...named, ...(keys.length > 0 && { keys }), ...(reading && readingQuery(reading)) }
  return upload('POST /databases/{id}/tables', file, { params: { id: databaseId }, query }, options)
}

/** Whether queries in it read other saved queries with `ref('…')`. */
export const isForSavedQueries = ({ settings }: Pick<Database, 'settings'>): boolean => 'readsSavedQueries' in settings

/** The database for queries that read other saved queries. It is created when it is first needed. */
export const getSavedQueriesDatabase = () => request('POST /databases/saved-queries', {})

/** The database that holds the person's own uploads. It is created when it is first needed. */
export const getUploadsDatabase = () => request('POST /databases/uploads', {})

export const renameTable = (databaseId: string, { schema, name }: Pick<Table, 'schema' | 'name'>, newName: string) =>
  request('PATCH /databases/{id}/tables/{schema}/{table}', { params: { id: databaseId, schema, table: name }, body: { name: newName } })

export const deleteTable = (databaseId: string, { schema, name }: Pick<Table, 'schema' | 'name'>) =>
  request('DELETE /databases/{id}/tables/{schema}/{table}', { params: { id: databaseId, schema, table: name } })

export const databasesOptions = () =>
  queryOptions({
    queryKey: ['databases'],
    queryFn: async ({ signal }) => (await request('GET /databases', { signal })).items,
  })

export const databaseOptions = (id: string) =>
  queryOptions({
    queryKey: ['databases', id],
    queryFn: ({ signal }) => request('GET /databases/{id}', { params: { id }, signal }),
  })

/** Cached for five minutes, because a schema rarely changes and reading it starts an engine. */
export const tablesOptions = (databaseId: string) =>
  queryOptions({
    queryKey: ['databases', databaseId, 'tables'],
    queryFn: async ({ signal }) => (await request('GET /databases/{id}/tables', { params: { id: databaseId }, signal })).items,
    staleTime: 5 * 60_000,
  })

export const previewOptions = (databaseId: string, { schema, name }: Pick<Table, 'schema' | 'name'>) =>
  queryOptions({
    queryKey: ['databases', databaseId, 'tables', schema, name, 'preview'],
    queryFn: ({ signal }) =>
      request('GET /databases/{id}/tables/{schema}/{table}/preview', { params: { id: databaseId, schema, table: name }, signal }),
    staleTime: 60_000,
  })
