import { createConnection } from 'mysql2'
import { startMariadbServer } from '@querypost/server/testing'
import { rowCount, rowsSql, type Warehouse } from './warehouse.ts'

export async function startMysqlWarehouse(): Promise<Warehouse> {
  const server = await startMariadbServer({ settings: { 'innodb-buffer-pool-size': '256M' } })
  for (const statement of [
    'create database shop',
    "create user reader@'%' identified by 'for the bench'",
    "grant select on shop.* to reader@'%'",
    'create table shop.digits (n integer not null)',
    'insert into shop.digits values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
  ]) {
    await server.rows(statement)
  }
  const digits = ['a', 'b', 'c', 'd', 'e', 'f']
  const number = digits.map((name, index) => `${10 ** index} * ${name}.n`).join(' + ')
  await server.rows(`
    create table shop.events as
    select cast(i as signed) as id, i * 0.5e0 as amount, cast((i % 100000) / 100 as decimal(12, 2)) as price,
      concat('customer ', i) as name, timestamp '2024-01-01 00:00:00' + interval i second as happened_at
    from (select ${number} as i from ${digits.map((name) => `shop.digits ${name}`).join(', ')}) as numbers
    limit ${rowCount}`)
  const place = { host: '127.0.0.1', port: server.port, database: 'shop', user: 'reader' }
  const connection = createConnection({ ...place, password: 'for the bench', rowsAsArray: true })
  return {
    name: 'MariaDB',
    configuration: { engine: 'mysql', settings: { ...place, tls: 'off' }, password: 'for the bench' },
    bare: {
      what: 'mysql2 streaming rows, in this process',
      async read() {
        let count = 0
        for await (const _ of connection.query(rowsSql).stream({ highWaterMark: 1000 })) count++
        return count
      },
    },
    async stop() {
      connection.destroy()
      await server.stop()
    },
  }
}
