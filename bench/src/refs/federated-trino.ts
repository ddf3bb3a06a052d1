import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { startTrinoServer, type TrinoServer } from '@querypost/server/testing'
import { installTrinoConnectors } from '../../../scripts/install-trino.mjs'
import type { TableName } from './tpch-tables.ts'
import type { TrinoCatalog } from './tpch-warehouses.ts'

export const trinoHeapMb = Number(process.env['BENCH_TRINO_HEAP_MB'] ?? 4096)

/** Where the federated Trino finds some of the tables: through a catalog, or in its own memory. */
export interface TrinoPlace {
  name: string
  tables: TableName[]
  catalog: TrinoCatalog | undefined
}

/** A Trino whose catalogs are the databases of the benchmark. */
export interface FederatedTrino {
  server: TrinoServer
  /** The qualified name of each table. */
  addresses: Map<TableName, string>
}

const catalogName = (place: TrinoPlace) => place.name.toLowerCase()

export function tableAddresses(places: TrinoPlace[]): Map<TableName, string> {
  return new Map(
    places.flatMap((place) => {
      const schema = place.catalog ? `${catalogName(place)}.${place.catalog.schema}` : 'memory.shop'
      return place.tables.map((name) => [name, `${schema}.${name}`] as const)
    }),
  )
}

/** Installs the connectors if they are missing. `folder` gets a file of DuckDB that Trino reads. */
export async function startFederatedTrino(options: {
  source: DuckDBConnection
  folder: string
  fileTables: TableName[]
  servers: TrinoPlace[]
}): Promise<FederatedTrino> {
  const { source, folder, fileTables, servers } = options
  const memoryTables = servers.flatMap((place) => (place.catalog ? [] : place.tables))
  const file = path.join(folder, 'trino.duckdb')
  await copyToFile({ source, file, tables: [...fileTables, ...memoryTables] })
  const places = [duckdbPlace(file, fileTables), ...servers]
  const catalogs = Object.fromEntries(places.flatMap((place) => (place.catalog ? [[catalogName(place), place.catalog.properties]] : [])))
  const server = await startTrinoServer({ heapMb: trinoHeapMb, catalogs, connectors: installTrinoConnectors() })
  // INSERT statements with rows would take minutes, and gigabytes that the server keeps.
  await server.rows('create schema memory.shop')
  for (const name of memoryTables) await server.rows(`create table memory.shop.${name} as select * from duckdb.main.${name}`)
  return { server, addresses: tableAddresses(places) }
}

export const duckdbPlace = (file: string, tables: TableName[]): TrinoPlace => ({
  name: 'DuckDB',
  tables,
  catalog: { schema: 'main', properties: { 'connector.name': 'duckdb', 'connection-url': `jdbc:duckdb:${file}` } },
})

/** The connector opens the file for writing, which only one process can do at a time, and its driver is older than ours. */
async function copyToFile({ source, file, tables }: { source: DuckDBConnection; file: string; tables: TableName[] }): Promise<void> {
  await source.run(`attach '${file}' as trino_copy (storage_version 'v1.0.0')`)
  for (const name of tables) await source.run(`create table trino_copy.${name} as from ${name}`)
  await source.run('detach trino_copy')
}
