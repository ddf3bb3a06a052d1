import { openBigqueryEngine } from '../../src/engines/bigquery/bigquery-engine.ts'
import type { Engine } from '../../src/engines/engine.ts'
import type { ServerOptions } from '../../src/engines/server-options.ts'
import type { ServerSettings } from '../../src/model/server-settings.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { type BigqueryEmulator, startBigqueryEmulator } from '../servers/bigquery-emulator.ts'
import { silentLog } from '../silent-log.ts'
import { type Gate, openGate } from './clickhouse-warehouse.ts'

type Change = Partial<Omit<ServerOptions, 'settings'>> & { settings?: Partial<ServerSettings> }

/** An emulator of BigQuery with the dataset `acme.shop`, reached through a gate. */
export interface BigqueryWarehouse {
  gate: Gate
  open(change?: Change): Engine
  stop(): Promise<void>
}

export async function startBigqueryWarehouse(fixture: string[]): Promise<BigqueryWarehouse> {
  const server = await startBigqueryEmulator()
  const gate = await openGate(server.port)
  await server.call('POST', '/projects/acme/datasets', { datasetReference: { projectId: 'acme', datasetId: 'shop' } })
  for (const query of fixture) await runStatement(server, query)
  return {
    gate,
    open: ({ settings, ...change } = {}) =>
      openBigqueryEngine({
        settings: {
          host: 'warehouse.test', port: gate.port, otherHosts: [], database: 'acme', user: 'reader@acme.test', tls: 'off',
          certificateAuthority: null, options: { dataset: 'shop', location: 'US' }, ...settings,
        },
        password: null,
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

async function runStatement(server: BigqueryEmulator, query: string): Promise<void> {
  const defaultDataset = { projectId: 'acme', datasetId: 'shop' }
  const answer = await server.call('POST', '/projects/acme/queries', { query, useLegacySql: false, defaultDataset })
  const { errors } = answer as { errors?: unknown[] }
  if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`)
}
