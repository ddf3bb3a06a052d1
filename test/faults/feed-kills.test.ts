import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { untilDisconnected } from './lease-log.ts'
import { until } from './until.ts'
import { type NamedProcess, startWorld, type World } from './world.ts'

let world: World
let worker: NamedProcess

beforeAll(async () => {
  world = await startWorld({ postgresUrl: inject('postgresUrl') })
  worker = await world.startWorker()
})
afterAll(() => world?.close())

const kills = 2
/** Enough rows that comparing takes a while. */
const sqlOf = (number: number) => `select i, case when i % 1000 = ${number} then 'changed' else 'same' end as state from range(60000) as t(i)`

test('a worker that is killed while it compares results skips and repeats no number', async () => {
  const { page, store } = world
  const rowsOf = async <Row>(statement: ReturnType<typeof sql<Row>>) => (await statement.execute(store.db)).rows
  const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) => {
    const answer = await page(method, url, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body as { id: string; shortId: string; items: { id: string }[] }
  }
  const analyticalDatabaseConfigId = (await send('GET', '/app/api/databases')).items[0]!.id
  const query = await send('POST', '/app/api/queries', { sql: sqlOf(0), analyticalDatabaseConfigId })
  const { shortId } = await send('POST', '/app/api/references', { queryId: query.id, title: 'Changing' })
  const url = `/app/api/references/${shortId}`
  const run = async () => (await send('POST', `${url}/runs`, {})).id
  const isKept = async (runId: string) => (await rowsOf(sql`select from archived_results where run_id = ${runId}`)).length === 1
  const first = await run()
  await until(() => isKept(first))
  // Nobody receives the events, but they are published only if an endpoint has chosen them.
  await world.addEndpoint({ url: 'https://127.0.0.1:9/', eventTypes: ['reference.changed'] })
  await send('PATCH', `${url}/change-feed`, { publishesChanges: true })

  const runIds: string[] = []
  for (let number = 1; number <= kills; number++) {
    await send('PATCH', url, { sql: sqlOf(number) })
    const runId = await run()
    runIds.push(runId)
    await until(async () => (await rowsOf(sql`select from change_feeds where lease_number > recorded_lease_number`)).length === 1)
    worker.process.kill('SIGKILL')
    await worker.stop('SIGKILL')
    await untilDisconnected(store.db, worker.name)
    // Instead of waiting for the lease to expire.
    await sql`update change_feeds set next_attempt_at = now() where lease_number > recorded_lease_number`.execute(store.db)
    worker = await world.startWorker()
    await until(async () => (await rowsOf(sql`select from change_feed_results`)).length === 0)
  }

  const changes = await rowsOf(sql<{ number: number; to_run_id: string; from_result_hash: string; to_result_hash: string }>`
    select number, to_run_id, from_result_hash, to_result_hash from reference_changes order by number`)
  expect(changes.map(({ number }) => number)).toEqual(runIds.map((_, index) => index + 1))
  expect(changes.map((change) => change.to_run_id)).toEqual(runIds)
  expect(changes.slice(1).map((change) => change.from_result_hash)).toEqual(changes.slice(0, -1).map((change) => change.to_result_hash))
  const events = await rowsOf(sql<{ number: number }>`
    select (body::json -> 'data' ->> 'number')::integer as number from webhook_events where type = 'reference.changed' order by 1`)
  expect(events.map(({ number }) => number)).toEqual(changes.map(({ number }) => number))
})
