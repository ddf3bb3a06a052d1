import type { DuckDBConnection } from '@duckdb/node-api'
import pg from 'pg'
import { startClickhouseServer, startMariadbServer, startPostgresServer, startTrinoServer, testUser, trinoReader } from '@querypost/server/testing'
import { columnsOf, type TableName } from './tpch-tables.ts'

/** A server with some of the tables, copied from DuckDB. */
export interface TpchWarehouse {
  /** The request that adds it to the service. */
  configuration: Record<string, unknown>
  /** The catalog by which the federated Trino reads it. Without one, that Trino has the tables in its own memory. */
  catalog?: TrinoCatalog
  stop(): Promise<void>
}

export interface TrinoCatalog {
  schema: string
  properties: Record<string, string>
}

const rowsPerStatement = 5_000

/** Runs one INSERT for every few thousand rows. All servers read the same literals; only Trino takes no text as a date. */
async function copyTable(source: DuckDBConnection, name: TableName, insert: (sql: string) => Promise<unknown>): Promise<void> {
  const literals = Object.entries(columnsOf[name]).map(([column, type]) =>
    /char|date/.test(type) ? `'''' || replace(${column}::varchar, '''', '''''') || ''''` : `${column}::varchar`,
  )
  const result = await source.stream(`select '(' || ${literals.join(` || ',' || `)} || ')' from ${name}`)
  let tuples: string[] = []
  const flush = async () => {
    if (tuples.length > 0) await insert(`insert into ${name} values ${tuples.join(',')}`)
    tuples = []
  }
  for await (const rows of result.yieldRows()) {
    for (const [tuple] of rows) tuples.push(tuple as string)
    if (tuples.length >= rowsPerStatement) await flush()
  }
  await flush()
}

const createTable = (name: TableName, typeOf: (type: string) => string = (type) => type) =>
  `create table ${name} (${Object.entries(columnsOf[name]).map(([column, type]) => `${column} ${typeOf(type)}`).join(', ')})`

export async function startPostgresWith(source: DuckDBConnection, tables: TableName[]): Promise<TpchWarehouse> {
  const server = await startPostgresServer()
  const client = new pg.Client(server.url)
  await client.connect()
  for (const name of tables) {
    await client.query(createTable(name))
    await copyTable(source, name, (sql) => client.query(sql))
    await client.query(`analyze ${name}`)
  }
  await client.end()
  const { hostname: host, port, pathname, username: user, password } = new URL(server.url)
  const settings = { host, port: Number(port), database: pathname.slice(1), user: decodeURIComponent(user), tls: 'off' }
  return {
    configuration: { engine: 'postgres', settings, password: decodeURIComponent(password) },
    catalog: {
      schema: 'public',
      properties: {
        'connector.name': 'postgresql',
        'connection-url': `jdbc:postgresql://${host}:${port}${pathname}`,
        'connection-user': settings.user,
        'connection-password': decodeURIComponent(password),
      },
    },
    stop: () => server.stop(),
  }
}

export async function startMysqlWith(source: DuckDBConnection, tables: TableName[]): Promise<TpchWarehouse> {
  const server = await startMariadbServer({ settings: { 'innodb-buffer-pool-size': '256M' } })
  const password = 'for the bench'
  const access = [`create user reader@'%' identified by '${password}'`, "grant select on shop.* to reader@'%'"]
  for (const statement of ['create database shop', 'use shop', ...access]) await server.rows(statement)
  for (const name of tables) {
    await server.rows(createTable(name))
    await copyTable(source, name, (sql) => server.rows(sql))
    await server.rows(`analyze table ${name} persistent for all`)
  }
  const settings = { host: '127.0.0.1', port: server.port, database: 'shop', user: 'reader', tls: 'off' }
  return {
    configuration: { engine: 'mysql', settings, password },
    catalog: {
      schema: 'shop',
      properties: {
        'connector.name': 'mariadb',
        'connection-url': `jdbc:mariadb://127.0.0.1:${server.port}`,
        'connection-user': settings.user,
        'connection-password': password,
      },
    },
    stop: () => server.stop(),
  }
}

const clickhouseType = (type: string) => (type === 'integer' ? 'Int32' : type === 'bigint' ? 'Int64' : type === 'date' ? 'Date' : /char/.test(type) ? 'String' : type)

export async function startClickhouseWith(source: DuckDBConnection, tables: TableName[]): Promise<TpchWarehouse> {
  const server = await startClickhouseServer()
  await server.command('create database shop')
  const inShop = (sql: string) => server.command(sql.replace(/^(create table|insert into) /, '$1 shop.'))
  for (const name of tables) {
    await inShop(`${createTable(name, clickhouseType)} engine = MergeTree order by tuple()`)
    await copyTable(source, name, inShop)
  }
  const settings = { host: '127.0.0.1', port: server.httpPort, database: 'shop', user: testUser.user, tls: 'off' }
  // No catalog: Trino's driver cannot read from Debian's ClickHouse, 18.16, which has no `currentUser()`. Told the version and the time zone
  // (`server_version`, `server_time_zone`), it does not call that, but then finds no schemas.
  return { configuration: { engine: 'clickhouse', settings, password: testUser.password }, stop: () => server.stop() }
}

export async function startTrinoWith(source: DuckDBConnection, tables: TableName[]): Promise<TpchWarehouse> {
  const server = await startTrinoServer()
  await server.rows('create schema memory.shop')
  for (const name of tables) {
    await server.rows(createTable(name))
    await copyTable(source, name, (sql) => server.rows(sql))
  }
  const settings = { host: '127.0.0.1', port: server.httpsPort, database: 'memory', user: trinoReader.user, tls: 'encrypted', options: { schema: 'shop' } }
  return { configuration: { engine: 'trino', settings, password: trinoReader.password }, stop: () => server.stop() }
}
