import { openClickhouseEngine } from '../../engines/clickhouse/clickhouse-engine.ts'
import { openMysqlEngine } from '../../engines/mysql/mysql-engine.ts'
import { openPostgresEngine } from '../../engines/postgres/postgres-engine.ts'
import type { EnginesDeps } from './engines.ts'

/** How an engine on a server is opened, by its kind. */
export const serverEngineOpeners: EnginesDeps['openers'] = {
  postgres: openPostgresEngine,
  mysql: openMysqlEngine,
  clickhouse: openClickhouseEngine,
}
