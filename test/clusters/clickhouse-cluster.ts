import { type ClickhouseServer, freeClickhousePorts, startClickhouseServer } from '@querypost/server/testing'

/**
 * A cluster of three ClickHouse servers on loopback: `first` holds one shard of the sales, `second` and `third` each
 * hold all of the other. Every server has the Distributed table `sales` over both, and the small table `regions`.
 */
export interface ClickhouseCluster {
  first: ClickhouseServer
  second: ClickhouseServer
  third: ClickhouseServer
  servers: ClickhouseServer[]
  /** The servers that run a statement of the service, or a part of one, by their process lists. */
  busy(): Promise<ClickhouseServer[]>
  stop(): Promise<void>
}

/** There is one sale for each number below this. */
export const saleCount = 10_000_000
export const regions = ['north', 'east', 'south', 'west']

/** The sale of a number: even ones are on the first shard. */
const saleSql = `number AS id, ['${regions.join("', '")}'][number % 4 + 1] AS region,
  toDecimal64(number % 1000, 2) / 100 AS amount, toDate('2026-01-01') + number % 365 AS day`

export function saleOf(number: number): { region: string; cents: number; dayOfYear: number } {
  return { region: regions[number % 4]!, cents: number % 1000, dayOfYear: number % 365 }
}

const replica = (port: number) => `<replica><host>127.0.0.1</host><port>${port}</port></replica>`

const busySql = "SELECT count() FROM system.processes WHERE startsWith(initial_query_id, 'querypost-')"

export async function startClickhouseCluster(): Promise<ClickhouseCluster> {
  const ports = await Promise.all([1, 2, 3].map(() => freeClickhousePorts()))
  const [one, two, three] = ports.map(({ tcpPort }) => replica(tcpPort))
  const clusters = `<warehouse><shard>${one}</shard><shard>${two}${three}</shard></warehouse>`
  const servers = await Promise.all(ports.map((each) => startClickhouseServer({ ports: each, clusters })))
  await Promise.all(
    servers.map(async (server, index) => {
      const columns = '(id UInt64, region String, amount Decimal(18, 2), day Date)'
      await server.command(`CREATE TABLE sales_here ${columns} ENGINE = MergeTree PARTITION BY tuple() ORDER BY id`)
      await server.command('CREATE TABLE sales AS sales_here ENGINE = Distributed(warehouse, default, sales_here)')
      await server.command('CREATE TABLE regions (name String) ENGINE = MergeTree ORDER BY name')
      await server.command(`INSERT INTO regions VALUES ${regions.map((name) => `('${name}')`).join(', ')}`)
      const shard = index === 0 ? 0 : 1
      const numbers = `SELECT number * 2 + ${shard} AS number FROM numbers(${saleCount / 2})`
      await server.command(`INSERT INTO sales_here SELECT ${saleSql} FROM (${numbers})`)
    }),
  )
  const [first, second, third] = servers
  return {
    first: first!,
    second: second!,
    third: third!,
    servers,
    async busy() {
      const counts = await Promise.all(
        servers.map((server) =>
          // A killed server runs nothing.
          server.command(busySql).catch(() => '0'),
        ),
      )
      return servers.filter((_, index) => Number(counts[index]) > 0)
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}
