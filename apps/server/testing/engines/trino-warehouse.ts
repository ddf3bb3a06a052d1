import type { Engine } from '../../src/engines/engine.ts'
import type { ServerOptions } from '../../src/engines/server-options.ts'
import { openTrinoEngine } from '../../src/engines/trino/trino-engine.ts'
import type { ServerSettings } from '../../src/model/server-settings.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { startTrinoServer, trinoReader, type TrinoServer } from '../servers/trino-server.ts'
import { silentLog } from '../silent-log.ts'
import { type Gate, openGate } from './clickhouse-warehouse.ts'

type Change = Partial<Omit<ServerOptions, 'settings'>> & { settings?: Partial<ServerSettings> }

/** A Trino server with the schema `memory.shop`, reached over TLS through a gate, by a user who may write. */
export interface TrinoWarehouse {
  server: TrinoServer
  gate: Gate
  options(change?: Change): ServerOptions
  open(change?: Change): Engine
  statementsRunning(): Promise<number>
  /** With the same tables. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startTrinoWarehouse(fixture: string[]): Promise<TrinoWarehouse> {
  const server = await startTrinoServer()
  const gate = await openGate(server.httpsPort)
  const setUp = async () => {
    for (const sql of ['create schema memory.shop', ...fixture]) await server.rows(sql)
  }
  await setUp()
  const options: TrinoWarehouse['options'] = ({ settings, ...change } = {}) => ({
    settings: {
      host: 'warehouse.test', port: gate.port, otherHosts: [], database: 'memory', user: trinoReader.user, tls: 'verified',
      certificateAuthority: server.authority.certificate, options: { schema: 'shop', signIn: 'password' }, ...settings,
    },
    password: trinoReader.password,
    addressesOf: async () => ['127.0.0.1'],
    clock: systemClock,
    log: silentLog,
    ...change,
  })
  return {
    server,
    gate,
    options,
    open: (change) => openTrinoEngine(options(change)),
    async statementsRunning() {
      const [row] = await server.rows(
        `select count(*) from system.runtime.queries
         where "user" = '${trinoReader.user}' and query like 'select%' and state not in ('FINISHED', 'FAILED')`,
      )
      return Number(row![0])
    },
    async restart() {
      await server.interrupt()
      await server.resume()
      await setUp()
    },
    async stop() {
      await gate.close()
      await server.stop()
    },
  }
}
