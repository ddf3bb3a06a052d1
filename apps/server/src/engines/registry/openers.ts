import { openBigqueryEngine } from '../bigquery/bigquery-engine.ts'
import { openClickhouseEngine } from '../clickhouse/clickhouse-engine.ts'
import { openDuckdbEngine } from '../duckdb/duckdb-engine.ts'
import type { Engine } from '../engine.ts'
import type { FileOptions } from '../file-options.ts'
import { openMysqlEngine } from '../mysql/mysql-engine.ts'
import { openPostgresEngine } from '../postgres/postgres-engine.ts'
import type { ServerOptions } from '../server-options.ts'
import { openRedshiftEngine } from '../redshift/redshift-engine.ts'
import { openSnowflakeEngine } from '../snowflake/snowflake-engine.ts'
import { openSqliteEngine } from '../sqlite/sqlite-engine.ts'
import { openTrinoEngine } from '../trino/trino-engine.ts'
import type { FileEngine, ServerEngine } from './definitions.ts'

/** How each engine is opened. Apart from the definitions, because the pages use those and must not contain drivers. */
export const fileEngineOpeners: Record<FileEngine, (options: FileOptions) => Engine> = {
  duckdb: openDuckdbEngine,
  sqlite: openSqliteEngine,
}

export const serverEngineOpeners: Record<ServerEngine, (options: ServerOptions) => Engine> = {
  postgres: openPostgresEngine,
  mysql: openMysqlEngine,
  clickhouse: openClickhouseEngine,
  bigquery: openBigqueryEngine,
  trino: openTrinoEngine,
  snowflake: openSnowflakeEngine,
  redshift: openRedshiftEngine,
}
