import { Client } from 'undici'
import { startTrinoServer, trinoReader } from '@querypost/server/testing'
import { rowCount, rowsSql, type Warehouse } from './warehouse.ts'

interface Page {
  data?: unknown[][]
  nextUri?: string
}

export async function startTrinoWarehouse(): Promise<Warehouse> {
  const server = await startTrinoServer()
  await server.rows('create schema memory.shop')
  await server.rows(`
    create table memory.shop.events as
    select cast(i as bigint) as id, i * 0.5e0 as amount, cast((i % 100000) / decimal '100.00' as decimal(12, 2)) as price,
      'customer ' || cast(i as varchar) as name, timestamp '2024-01-01 00:00:00' + i * interval '1' second as happened_at
    from (select a.n * 1000 + b.n as i from unnest(sequence(0, ${rowCount / 1000 - 1})) as a(n) cross join unnest(sequence(0, 999)) as b(n))`)
  // Encrypted, as the service's connection is: the server accepts passwords only so.
  const client = new Client(`https://127.0.0.1:${server.httpsPort}`, { connect: { rejectUnauthorized: false } })
  const headers = {
    'x-trino-user': trinoReader.user,
    'x-trino-catalog': 'memory',
    'x-trino-schema': 'shop',
    authorization: `Basic ${Buffer.from(`${trinoReader.user}:${trinoReader.password}`).toString('base64')}`,
  }
  async function ask(method: 'POST' | 'GET', path: string, body: string | null = null): Promise<Page> {
    const response = await client.request({ method, path, headers, body })
    return (await response.body.json()) as Page
  }

  async function read(): Promise<number> {
    let count = 0
    for (let page = await ask('POST', '/v1/statement', rowsSql); ; ) {
      count += page.data?.length ?? 0
      if (page.nextUri === undefined) return count
      const { pathname } = new URL(page.nextUri)
      page = await ask('GET', pathname)
    }
  }

  return {
    name: 'Trino',
    configuration: {
      engine: 'trino',
      settings: {
        host: '127.0.0.1', port: server.httpsPort, database: 'memory', user: trinoReader.user, tls: 'encrypted', options: { schema: 'shop' },
      },
      password: trinoReader.password,
    },
    bare: { what: 'undici following the pages, each parsed, in this process', read },
    async stop() {
      await client.close()
      await server.stop()
    },
  }
}
