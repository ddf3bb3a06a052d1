import path from 'node:path'
import { openDuckdbEngine } from '../../engines/duckdb/engine.ts'
import { type Engine, EngineError } from '../../engines/engine.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Db } from '../../store/db.ts'
import { findDatabase } from '../../store/databases/databases.ts'
import type { AnalyticalDatabase } from './database.ts'

/** The engines of this process, one a database, opened when first needed and kept. */
export interface Engines {
  engineFor(key: { organizationId: string; configId: string }): Promise<Engine>
  /** An engine for a database that is not stored (yet); the caller closes it. */
  openUnstored(database: Pick<AnalyticalDatabase, 'organizationId' | 'settings'>): Engine
  close(): Promise<void>
}

export function makeEngines(deps: { db: Db; clock: Clock; log: Log; dataDirectory: string }): Engines {
  const opened = new Map<string, Engine>()
  function openUnstored(database: Pick<AnalyticalDatabase, 'organizationId' | 'settings'>) {
    return openDuckdbEngine({
      file: databaseFile({ dataDirectory: deps.dataDirectory, ...database }),
      temporaryDirectory: path.join(deps.dataDirectory, 'temporary'),
      clock: deps.clock,
      log: deps.log,
    })
  }
  return {
    openUnstored,
    async engineFor(key) {
      const database = await findDatabase(deps.db, key)
      if (!database) throw new EngineError('unreachable', 'The database of this query is no longer configured.')
      const engine = opened.get(database.id) ?? openUnstored(database)
      opened.set(database.id, engine)
      return engine
    },
    async close() {
      await Promise.all([...opened.values()].map((engine) => engine.close()))
    },
  }
}

/** An organization's DuckDB files stand in a folder of its own, so that none can be named by another's configuration. */
export function databaseFolder(options: { dataDirectory: string; organizationId: string }): string {
  return path.resolve(options.dataDirectory, 'databases', options.organizationId)
}

export function databaseFile(
  options: { dataDirectory: string } & Pick<AnalyticalDatabase, 'organizationId' | 'settings'>,
): string {
  return path.join(databaseFolder(options), options.settings.file)
}
