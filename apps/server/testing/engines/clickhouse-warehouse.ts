/** A ClickHouse server for tests, reached through a gate that can hold requests back, and engines on it. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { systemClock } from '../../src/ports/clock.ts'
import { startClickhouseServer, testUser, type ClickhouseServer } from '../servers/clickhouse-server.ts'
import { silentLog } from '../silent-log.ts'
import type { Engine } from '../../src/engines/engine.ts'
import type { ServerOptions } from '../../src/engines/server-options.ts'
import type { ServerSettings } from '../../src/model/server-settings.ts'
import { openClickhouseEngine } from '../../src/engines/clickhouse/clickhouse-engine.ts'

export interface Warehouse {
  server: ClickhouseServer
  gate: Gate
  open(change?: Partial<Omit<ServerOptions, 'settings'>> & { settings?: Partial<ServerSettings> }): Engine
  /** The number of engine statements in the server's process list. */
  statementsRunning(): Promise<number>
  stop(): Promise<void>
}

type WarehouseOptions = Parameters<typeof startClickhouseServer>[0] & { fixture?: string[] }

export async function startWarehouse(options: WarehouseOptions = {}): Promise<Warehouse> {
  const server = await startClickhouseServer(options)
  const gate = await openGate(server.httpPort)
  for (const statement of options.fixture ?? []) await server.command(statement)
  return {
    server,
    gate,
    open: ({ settings, ...change } = {}) =>
      openClickhouseEngine({
        settings: {
          host: 'warehouse.test', port: gate.port, otherHosts: [], database: 'default', user: testUser.user, tls: 'off',
          certificateAuthority: null, ...settings,
        },
        password: testUser.password,
        addressesOf: async () => ['127.0.0.1'],
        clock: systemClock,
        log: silentLog,
        ...change,
      }),
    statementsRunning: async () =>
      Number(await server.command("SELECT count() FROM system.processes WHERE startsWith(query_id, 'querypost-')")),
    async stop() {
      await gate.close()
      await server.stop()
    },
  }
}

export interface Gate {
  port: number
  /** Closes all connections through it. */
  drop(): void
  /** Resolves when a request is held back. */
  held: Promise<void>
  letGo(): void
  /** Resolves when a request with this text has passed and was answered. */
  passed(text: string): Promise<void>
  close(): Promise<void>
}

/** Forwards bytes in both directions. Requests for which `isHeld` is true wait until `letGo`. */
export async function openGate(target: number, { isHeld = (_: Buffer): boolean => false } = {}): Promise<Gate> {
  const held = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  const waiting: { text: string; resolve: () => void }[] = []
  const pairs = new Set<[Socket, Socket]>()
  const gate = createServer((inner) => {
    const outer = connect({ host: '127.0.0.1', port: target })
    const pair: [Socket, Socket] = [inner, outer]
    pairs.add(pair)
    const end = () => {
      inner.destroy()
      outer.destroy()
      pairs.delete(pair)
    }
    for (const socket of pair) socket.setNoDelay(true).on('error', end).on('close', end)
    let request = ''
    inner.on('data', (bytes: Buffer) => {
      request = bytes.toString('latin1')
      if (!isHeld(bytes)) return void outer.write(bytes)
      held.resolve()
      void free.promise.then(() => outer.write(bytes))
    })
    outer.on('data', () => {
      for (const { text, resolve } of waiting) if (request.includes(text)) resolve()
    })
    outer.pipe(inner)
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  const drop = () => {
    for (const [inner, outer] of pairs) {
      inner.destroy()
      outer.destroy()
    }
  }
  return {
    port: (gate.address() as AddressInfo).port,
    drop,
    held: held.promise,
    letGo: free.resolve,
    passed: (text) => new Promise((resolve) => void waiting.push({ text, resolve })),
    close() {
      const closed = new Promise<void>((resolve) => void gate.close(() => resolve()))
      drop()
      return closed
    },
  }
}
