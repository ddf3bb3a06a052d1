/** A PostgreSQL server for tests, with a reader role that needs a password, and engines on it. */
import pg from 'pg'
import { systemClock } from '../../src/ports/clock.ts'
import { pollPause } from '../poll-pause.ts'
import { startPostgresServer, type PostgresServer } from '../servers/postgres-server.ts'
import { silentLog } from '../silent-log.ts'
import type { Engine } from '../../src/engines/engine.ts'
import type { ServerOptions } from '../../src/engines/server-options.ts'
import { openPostgresEngine, type PostgresOptions } from '../../src/engines/postgres/postgres-engine.ts'

export const reader = { user: 'reader', password: 'Sesam, öffne dich' }

export interface PostgresSubject {
  server: PostgresServer
  port: number
  /** Runs a statement as the superuser, over a separate connection. */
  admin(sql: string): Promise<Record<string, unknown>[]>
  options(change?: SubjectChange): ServerOptions
  open(change?: SubjectChange): Engine
  release(): Promise<void>
}

export type SubjectChange = Partial<PostgresOptions> & { to?: Partial<PostgresOptions['settings']> }

export async function startPostgresSubject(statements: string[]): Promise<PostgresSubject> {
  const server = await startPostgresServer()
  const port = Number(new URL(server.url).port)
  const engines: Engine[] = []

  async function admin(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: server.urlOf('postgres') })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end()
    }
  }

  function options({ to, ...change }: SubjectChange = {}): PostgresOptions {
    return {
      settings: {
        host: 'warehouse.test',
        port,
        otherHosts: [],
        database: 'postgres',
        user: reader.user,
        tls: 'off',
        certificateAuthority: null,
        ...to,
      },
      password: reader.password,
      addressesOf: async () => ['127.0.0.1'],
      clock: systemClock,
      log: silentLog,
      ...change,
    }
  }

  for (const statement of statements) await admin(statement)
  await admin(`create role ${reader.user} login password '${reader.password}'`)
  await admin(`grant select on all tables in schema public to ${reader.user}`)
  await requirePasswords(admin)
  return {
    server,
    port,
    admin,
    options,
    open(change) {
      const engine = openPostgresEngine(options(change))
      engines.push(engine)
      return engine
    },
    async release() {
      await Promise.all(engines.map((engine) => engine.close()))
      await server.stop()
    },
  }
}

/** Requires passwords from everyone but the superuser; at first the server trusts everyone. */
async function requirePasswords(admin: PostgresSubject['admin']): Promise<void> {
  const [file] = await admin('show hba_file')
  const lines = ['host all postgres 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 scram-sha-256']
  await admin(`copy (select unnest(array['${lines.join("','")}'])) to '${String(file!['hba_file'])}'`)
  await admin('select pg_reload_conf()')
  while ((await admin('select * from pg_hba_file_rules')).length !== lines.length) await pollPause()
}
