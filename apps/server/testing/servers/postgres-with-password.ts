import pg from 'pg'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'

/** A PostgreSQL server whose reader needs a password, without TLS. */
export interface PostgresWithPassword {
  server: PostgresServer
  place: { host: string; port: number }
  user: string
  password: string
  /** A database without tables. */
  database: string
  /** Runs a statement as the superuser in `database`. */
  execute(sql: string): Promise<pg.QueryResult>
  stop(): Promise<void>
}

export async function startPostgresWithPassword(): Promise<PostgresWithPassword> {
  const server = await startPostgresServer()
  const [user, password, database] = ['reader', 'open sesame', 'warehouse']
  await within(server.url, `create database ${database}`)
  await within(server.url, `create role ${user} login password '${password}'; grant pg_read_all_data to ${user}`)
  const { hba_file: hbaFile } = (await within(server.url, 'show hba_file')).rows[0] as { hba_file: string }
  const rules = `values ('host all ${user} 127.0.0.1/32 scram-sha-256'), ('host all all 127.0.0.1/32 trust')`
  await within(server.url, `copy (${rules}) to '${hbaFile}'`)
  // Restart to apply the rules now. A reload would apply them at some later moment.
  await server.interrupt('shutdown')
  await server.resume()
  return {
    server,
    place: { host: '127.0.0.1', port: Number(new URL(server.url).port) },
    user,
    password,
    database,
    execute: (sql) => within(server.urlOf(database), sql),
    stop: () => server.stop(),
  }
}

async function within(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}
