import { createClient } from '@clickhouse/client'
import { startClickhouseServer, testUser } from '@querypost/server/testing'
import { rowCount, rowsSql, type Warehouse } from './warehouse.ts'

export async function startClickhouseWarehouse(): Promise<Warehouse> {
  const server = await startClickhouseServer()
  await server.command('create database shop')
  await server.command(
    `create table shop.events (id Int64, amount Float64, price Decimal(12, 2), name String, happened_at DateTime)
     engine = MergeTree order by id`,
  )
  await server.command(`
    insert into shop.events
    select toInt64(number), number * 0.5, toDecimal64((number % 100000) / 100, 2), concat('customer ', toString(number)),
      toDateTime('2024-01-01 00:00:00') + number
    from system.numbers limit ${rowCount}`)
  const client = createClient({
    url: `http://127.0.0.1:${server.httpPort}`,
    username: testUser.user,
    password: testUser.password,
    database: 'shop',
  })
  const settings = { host: '127.0.0.1', port: server.httpPort, database: 'shop', user: testUser.user, tls: 'off' }
  return {
    name: 'ClickHouse',
    configuration: { engine: 'clickhouse', settings, password: testUser.password },
    bare: {
      what: '@clickhouse/client streaming JSONEachRow, each row parsed, in this process',
      async read() {
        const result = await client.query({ query: rowsSql, format: 'JSONEachRow' })
        let count = 0
        for await (const rows of result.stream()) for (const row of rows) count += row.json() === null ? 0 : 1
        return count
      },
    },
    async stop() {
      await client.close()
      await server.stop()
    },
  }
}
