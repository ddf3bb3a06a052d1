import type { TableName } from './tpch-tables.ts'
import { startClickhouseWith, startMysqlWith, startPostgresWith, startTrinoWith } from './tpch-warehouses.ts'

/** A server with some of the tables. */
export interface ServerPlace {
  name: string
  tables: TableName[]
  start: typeof startPostgresWith
}

/** In a file of DuckDB. */
export const fileTables: TableName[] = ['lineitem']

/** The other tables, on servers. Without Trino, ClickHouse has its tables, too. */
export const serverPlaces = ({ hasTrino }: { hasTrino: boolean }): ServerPlace[] => [
  { name: 'PostgreSQL', tables: ['orders'], start: startPostgresWith },
  { name: 'MySQL', tables: ['part', 'partsupp'], start: startMysqlWith },
  { name: 'ClickHouse', tables: hasTrino ? ['customer'] : ['customer', 'supplier', 'nation', 'region'], start: startClickhouseWith },
  ...(hasTrino ? [{ name: 'Trino', tables: ['supplier', 'nation', 'region'] satisfies TableName[], start: startTrinoWith }] : []),
]
