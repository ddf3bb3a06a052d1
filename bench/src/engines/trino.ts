import { startTrinoServer, trinoReader } from '@querypost/server/testing'
import { rowCount, rowsSql, type Warehouse } from './warehouse.ts'

export async function startTrinoWarehouse(): Promise<Warehouse> {
  const server = await startTrinoServer()
  await server.rows('create schema memory.shop')
  await server.rows(`
    create table memory.shop.events as
    select cast(i as bigint) as id, i * 0.5e0 as amount, cast((i % 100000) / decimal '100.00' as decimal(12, 2)) as price,
      'customer ' || cast(i as varchar) as name, timestamp '2024-01-01 00:00:00' + i * interval '1' second as happened_at
    from (select a.n * 1000 + b.n as i from unnest(sequence(0, ${rowCount / 1000 - 1})) as a(n) cross join unnest(sequence(0, 999)) as b(n))`)
  return {
    name: 'Trino',
    configuration: {
      engine: 'trino',
      settings: {
        host: '127.0.0.1', port: server.httpsPort, database: 'memory', user: trinoReader.user, tls: 'encrypted', options: { schema: 'shop' },
      },
      password: trinoReader.password,
    },
    bare: {
      what: 'fetch following the pages, each parsed, without TLS, in this process',
      read: async () => (await server.rows(rowsSql)).length,
    },
    stop: () => server.stop(),
  }
}
