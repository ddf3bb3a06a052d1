import type { Engine } from '../../src/engines/engine.ts'
import type { ServerOptions } from '../../src/engines/server-options.ts'
import { openSnowflakeEngine } from '../../src/engines/snowflake/snowflake-engine.ts'
import type { ServerSettings } from '../../src/model/server-settings.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { snowflakeAccount, type SnowflakeDouble, startSnowflakeDouble } from '../servers/snowflake-double.ts'
import { silentLog } from '../silent-log.ts'
import { type Gate, openGate } from './clickhouse-warehouse.ts'

type Change = Partial<Omit<ServerOptions, 'settings'>> & { settings?: Partial<ServerSettings> }

/** A double of Snowflake, reached through a gate. */
export interface SnowflakeWarehouse {
  server: SnowflakeDouble
  gate: Gate
  open(change?: Change): Engine
  stop(): Promise<void>
}

export async function startSnowflakeWarehouse(fixture: string[]): Promise<SnowflakeWarehouse> {
  const server = await startSnowflakeDouble(fixture)
  const gate = await openGate(server.port)
  return {
    server,
    gate,
    open: ({ settings, ...change } = {}) =>
      openSnowflakeEngine({
        settings: {
          host: 'org-acme.snowflake.test', port: gate.port, otherHosts: [], database: snowflakeAccount.database, user: snowflakeAccount.user,
          tls: 'off', certificateAuthority: null, options: { signIn: 'keyPair', schema: snowflakeAccount.schema }, ...settings,
        },
        password: server.privateKey,
        addressesOf: async () => ['127.0.0.1'],
        clock: systemClock,
        log: silentLog,
        ...change,
      }),
    async stop() {
      await gate.close()
      await server.stop()
    },
  }
}
