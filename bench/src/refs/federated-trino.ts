import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { startTrinoServer, type TrinoServer } from '@querypost/server/testing'
import { installTrinoConnectors } from '../../../scripts/install-trino.mjs'
import type { TableName } from './tpch-tables.ts'
import { copyToMemory, type TrinoCatalog } from './tpch-warehouses.ts'

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

/** Installs the connectors if they are missing. */
export async function startFederatedTrino(options: { source: DuckDBConnection; places: TrinoPlace[] }): Promise<FederatedTrino> {
  const { source, places } = options
  const connectors = installTrinoConnectors()
  const catalogs = Object.fromEntries(places.flatMap((place) => (place.catalog ? [[catalogName(place), place.catalog.properties]] : [])))
  const server = await startTrinoServer({ heapMb: trinoHeapMb, catalogs, connectors })
  await copyToMemory({ server, source, tables: places.flatMap((place) => (place.catalog ? [] : place.tables)) })
  return { server, addresses: tableAddresses(places) }
}

/** A copy of the table in a file of its own, because only one process at a time can open a file of DuckDB for writing, and the connector does. */
export async function duckdbPlace(options: { source: DuckDBConnection; folder: string; tables: TableName[] }): Promise<TrinoPlace> {
  const { source, folder, tables } = options
  const file = path.join(folder, 'trino.duckdb')
  // The driver of the connector is older than ours.
  await source.run(`attach '${file}' as trino_copy (storage_version 'v1.0.0')`)
  for (const name of tables) await source.run(`create table trino_copy.${name} as from ${name}`)
  await source.run('detach trino_copy')
  return {
    name: 'DuckDB',
    tables,
    catalog: { schema: 'main', properties: { 'connector.name': 'duckdb', 'connection-url': `jdbc:duckdb:${file}` } },
  }
}
