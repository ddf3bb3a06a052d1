import pg from 'pg'
import Cursor from 'pg-cursor'
import { startPostgresServer } from '@querypost/server/testing'
import { rowCount, rowsSql, type Warehouse } from './warehouse.ts'

export async function startPostgresWarehouse(): Promise<Warehouse> {
  const server = await startPostgresServer()
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query(`
    create table events as
    select i::bigint as id, i * 0.5::double precision as amount, (i % 100000)::numeric(12, 2) / 100 as price,
      'customer ' || i as name, timestamptz '2024-01-01Z' + make_interval(secs => i) as happened_at
    from generate_series(1, ${rowCount}) as i`)
  await client.query('vacuum analyze events')
  const url = new URL(server.url)
  const settings = {
    host: url.hostname,
    port: Number(url.port),
    database: url.pathname.slice(1),
    user: decodeURIComponent(url.username),
    tls: 'off',
  }
  return {
    name: 'PostgreSQL',
    configuration: { engine: 'postgres', settings, password: decodeURIComponent(url.password) },
    bare: {
      what: 'pg with a cursor of 5,000 rows, in this process',
      async read() {
        const cursor = client.query(new Cursor(rowsSql, [], { rowMode: 'array' }))
        let count = 0
        for (let rows = await cursor.read(5000); rows.length > 0; rows = await cursor.read(5000)) count += rows.length
        await cursor.close()
        return count
      },
    },
    async stop() {
      await client.end()
      await server.stop()
    },
  }
}
