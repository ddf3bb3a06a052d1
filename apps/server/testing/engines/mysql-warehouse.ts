import { systemClock } from '../../src/ports/clock.ts'
import { startMariadbServer, type MariadbOptions, type MariadbServer } from '../servers/mariadb-server.ts'
import { silentLog } from '../silent-log.ts'
import type { Engine } from '../../src/engines/engine.ts'
import type { ServerOptions } from '../../src/engines/server-options.ts'
import type { ServerSettings } from '../../src/model/server-settings.ts'
import { openMysqlEngine } from '../../src/engines/mysql/mysql-engine.ts'

/** A MariaDB server with the database `shop` and a user with all privileges on it, so that only the engine prevents writes. */
export interface Warehouse {
  server: MariadbServer
  /** Runs in `shop`, as root. */
  setUp(statements: string[]): Promise<void>
  open(change?: Partial<ServerSettings>, options?: Partial<ServerOptions>): Engine
  stop(): Promise<void>
}

export const readerPassword = 'correct horse battery staple'

export async function startWarehouse(options: MariadbOptions = {}): Promise<Warehouse> {
  const server = await startMariadbServer(options)
  const setUp = async (statements: string[]) => {
    for (const sql of statements) await server.rows(sql)
  }
  await setUp([
    "set names utf8mb4, sql_mode = '', global local_infile = 1",
    'create database shop character set utf8mb4',
    'use shop',
    `create user reader@'%' identified by '${readerPassword}'`,
    "grant all on shop.* to reader@'%'",
  ])
  return {
    server,
    setUp,
    open: (change = {}, more = {}) =>
      openMysqlEngine({
        settings: {
          host: '127.0.0.1',
          port: server.port,
          otherHosts: [],
          database: 'shop',
          user: 'reader',
          tls: 'off',
          certificateAuthority: null,
          ...change,
        },
        password: readerPassword,
        addressesOf: async () => ['127.0.0.1'],
        clock: systemClock,
        log: silentLog,
        ...more,
      }),
    stop: () => server.stop(),
  }
}
