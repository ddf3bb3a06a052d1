import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverEngineOpeners } from '@querypost/server/engines'
import { systemClock } from '@querypost/server/ports'
import { type ClickhouseServer, hasClickhouse, silentLog, testUser } from '@querypost/server/testing'
import { until } from '../faults/until.ts'
import { preparedDataDirectory, preparedEmail } from '../first-start.ts'
import { startServiceProcess, type ServiceProcess } from '../service-process.ts'
import { regions, saleCount, saleOf, startClickhouseCluster, type ClickhouseCluster } from './clickhouse-cluster.ts'

interface Run {
  id: string
  status: 'pending' | 'running' | 'completed' | 'failed'
  failureReason: string | null
  renderedSql: string
}

/** The tests depend on each other: each continues with the cluster as the previous one left it. */
describe.skipIf(!hasClickhouse)('the service on a ClickHouse cluster of two shards, one of them with a replica', () => {
  let cluster: ClickhouseCluster
  let service: ServiceProcess
  let dataDirectory: string
  let page: Awaited<ReturnType<ServiceProcess['signIn']>>
  let databaseId: string

  beforeAll(async () => {
    dataDirectory = await preparedDataDirectory()
    const starting = startServiceProcess({ dataDirectory, environment: { BOOTSTRAP_EMAIL: preparedEmail } })
    ;[cluster, service] = await Promise.all([startClickhouseCluster(), starting])
    page = await service.signIn()
    const { first, second, third } = cluster
    const [place, ...otherHosts] = [first, second, third].map(({ httpPort }) => ({ host: '127.0.0.1', port: httpPort }))
    const added = await page('POST', '/app/api/databases', {
      name: 'Warehouse',
      engine: 'clickhouse',
      settings: { ...place, otherHosts, database: 'default', user: testUser.user, tls: 'off' },
      password: testUser.password,
    })
    if (added.status !== 201) throw new Error(JSON.stringify(added.body))
    databaseId = (added.body as { id: string }).id
  })

  afterAll(async () => {
    await service.stop('SIGKILL')
    await cluster.stop()
    await rm(dataDirectory, { recursive: true, force: true })
  })

  async function store(sql: string): Promise<string> {
    const stored = await page('POST', '/app/api/queries', { sql, analyticalDatabaseConfigId: databaseId })
    expect(stored.status).toBe(201)
    return (stored.body as { id: string }).id
  }

  async function begin(queryId: string, values: object = {}): Promise<Run> {
    const begun = await page('POST', `/app/api/queries/${queryId}/runs`, values)
    expect(begun).toMatchObject({ status: 202 })
    return begun.body
  }

  async function ended({ id }: Run): Promise<Run> {
    let run: Run
    await until(async () => {
      run = (await page('GET', `/app/api/runs/${id}`)).body
      return run.status === 'completed' || run.status === 'failed'
    })
    return run!
  }

  const rowsOf = async (queryId: string) =>
    ((await service.api('GET', `/api/queries/${queryId}/result`)).body as { rows: unknown[][] }).rows

  /** The rows of a run of this SQL, or why it failed. */
  async function answerOf(sql: string): Promise<unknown> {
    const queryId = await store(sql)
    const run = await ended(await begin(queryId))
    return run.status === 'completed' ? rowsOf(queryId) : run.failureReason
  }

  async function untilBusy(isExpected: (busy: ClickhouseServer[]) => boolean): Promise<ClickhouseServer[]> {
    let busy: ClickhouseServer[] = []
    await until(async () => {
      busy = await cluster.busy()
      return isExpected(busy)
    })
    return busy
  }

  /** Runs for minutes on both shards. */
  const longSql = 'select sum(cityHash64(toString(id), toString(n))) from sales array join range(3000) as n'
  const countSql = 'select count(), sum(amount) from sales'
  const counted = [[saleCount, '49950000.00']]

  test('describes the database with the rows of its shard', async () => {
    expect(await page('POST', `/app/api/databases/${databaseId}/test`)).toMatchObject({ status: 200 })
    const described = await page('GET', `/app/api/databases/${databaseId}/tables`)
    const text = JSON.stringify(described.body)
    expect(text).toContain('"sales_here"')
    expect(text).toContain(String(saleCount / 2))
  })

  test('a stored query with parameters gathers from both shards', async () => {
    const queryId = await store(
      `select region, count() as sales, sum(amount) as revenue, min(day) as since from sales
       where day >= {{since}} and region != {{without}} and id < {{below}} group by region order by region`,
    )
    const values = { since: '2026-06-01', without: 'it\'s "north"', below: 4_000_000 }
    const types = { since: 'date', without: 'text', below: 'number' }
    const parameters = Object.entries(types).map(([name, type]) => ({ name, type }))
    const run = await begin(queryId, { parameterValues: values, parameters })
    expect(run.renderedSql).toContain("toDate('2026-06-01')")
    expect(await ended(run)).toMatchObject({ status: 'completed' })
    const expected = new Map(regions.toSorted().map((region) => [region, { sales: 0, cents: 0 }]))
    const firstOfJune = 151
    for (let number = 0; number < values.below; number++) {
      const { region, cents, dayOfYear } = saleOf(number)
      if (dayOfYear < firstOfJune) continue
      const sum = expected.get(region)!
      sum.sales++
      sum.cents += cents
    }
    expect(await rowsOf(queryId)).toEqual(
      [...expected].map(([region, { sales, cents }]) => [region, sales, (cents / 100).toFixed(2), '2026-06-01']),
    )
    const again = await begin(queryId, { parameterValues: { ...values, without: 'north' }, parameters })
    expect(await ended(again)).toMatchObject({ status: 'completed' })
    expect((await rowsOf(queryId)).map(([region]) => region)).toEqual(['east', 'south', 'west'])
  })

  test('a stopped run is gone from every server', async () => {
    const run = await begin(await store(longSql))
    await untilBusy((busy) => busy.length > 1)
    expect(await page('POST', `/app/api/runs/${run.id}/cancel`)).toMatchObject({ status: 200 })
    expect(await ended(run)).toMatchObject({ status: 'failed', failureReason: expect.stringContaining('Stopped by') })
    await untilBusy((busy) => busy.length === 0)
  })

  test('cancellation resolves when the queried server has stopped the statement, which stops the others', async () => {
    const { httpPort: port } = cluster.first
    const engine = serverEngineOpeners.clickhouse({
      settings: {
        host: 'first.test', port, otherHosts: [], database: 'default', user: testUser.user, tls: 'off',
        certificateAuthority: null,
      },
      password: testUser.password,
      addressesOf: async () => ['127.0.0.1'],
      clock: systemClock,
      log: silentLog,
    })
    const stop = new AbortController()
    const running = engine.run({ sql: longSql, signal: stop.signal }).catch((error: unknown) => error)
    await untilBusy((busy) => busy.length > 1)
    stop.abort()
    expect(await running).toMatchObject({ kind: 'stopped' })
    // The queried server notifies the others before it drops the statement itself. They need a moment to react.
    expect(await cluster.busy()).not.toContain(cluster.first)
    await untilBusy((busy) => busy.length === 0)
    await engine.close()
  })

  let spare: ClickhouseServer

  test('a run fails with a reason when a server dies during it', async () => {
    const run = await begin(await store(longSql))
    const [, at] = await untilBusy((busy) => busy.length > 1)
    spare = at === cluster.second ? cluster.third : cluster.second
    await at!.interrupt('crash')
    const { failureReason } = await ended(run)
    expect(failureReason).toContain('A server of the cluster that the statement needs cannot be reached')
    expect(failureReason).toContain(String(at!.tcpPort))
    await untilBusy((busy) => busy.length === 0)
  })

  test('the next run does not need a lost replica', async () => {
    expect(await answerOf(countSql)).toEqual(counted)
  })

  test('no run completes with partial rows when a whole shard is lost', async () => {
    await spare.interrupt('crash')
    expect(await answerOf(countSql)).toContain('A server of the cluster that the statement needs cannot be reached')
    await spare.resume()
    expect(await answerOf(countSql)).toEqual(counted)
  })

  test('a run fails over to another server when the queried one dies before it answers', async () => {
    const countingSql = 'select count(), sum(length(toString(n))) > 0 from regions array join range(4000000) as n'
    const queryId = await store(countingSql)
    const run = await begin(queryId)
    await untilBusy(([busy]) => busy === cluster.first)
    await cluster.first.interrupt('crash')
    expect(await ended(run)).toMatchObject({ status: 'completed' })
    expect(await rowsOf(queryId)).toEqual([[16_000_000, 1]])
    await cluster.first.resume()
  })

  test('a run fails when the queried server dies while sending rows; the next run uses another', async () => {
    const queryId = await store("select number, 'some text beside it' from system.numbers limit 4500000")
    const run = await begin(queryId)
    const [asked] = await untilBusy((busy) => busy.length > 0)
    const madeSql = "select max(read_rows) from system.processes where query_id like 'querypost-%'"
    await until(async () => Number(await asked!.command(madeSql)) >= 200_000)
    await asked!.interrupt('crash')
    expect((await ended(run)).failureReason).toBe(
      'The database server went away while the result was read. Refresh to run the statement again.',
    )
    expect(await answerOf('select name from regions order by name')).toEqual(regions.toSorted().map((name) => [name]))
  })
})
