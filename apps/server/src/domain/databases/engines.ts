import path from 'node:path'
import { openDuckdbEngine } from '../../engines/duckdb/engine.ts'
import type { Engine } from '../../engines/engine.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { AnalyticalDatabase } from './database.ts'

/** The engines of this process, one a database, opened when first needed and kept. */
export interface Engines {
  engineOf(database: Configured): Engine
  /** An engine of its own for a try, which the caller closes. */
  openApart(database: Pick<Configured, 'organizationId' | 'settings'>): Engine
  close(): Promise<void>
}

type Configured = Pick<AnalyticalDatabase, 'id' | 'organizationId' | 'engine' | 'settings'>

export function makeEngines(deps: { clock: Clock; log: Log; dataDirectory: string }): Engines {
  const opened = new Map<string, Engine>()
  function openApart(database: Pick<Configured, 'organizationId' | 'settings'>) {
    return openDuckdbEngine({
      file: databaseFile({ dataDirectory: deps.dataDirectory, ...database }),
      temporaryDirectory: path.join(deps.dataDirectory, 'temporary'),
      clock: deps.clock,
      log: deps.log,
    })
  }
  return {
    openApart,
    engineOf(database) {
      const engine = opened.get(database.id) ?? openApart(database)
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
