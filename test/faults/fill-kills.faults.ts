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

const days = 4
/** Enough work that a worker can be killed during each day. */
const slowSql = 'select {{day}} as day, sum(hash(i) % 7)::bigint as total from range(60000000) as t(i)'

test('a worker that is killed while it fills a history skips no day and fills none twice', async () => {
  const { page, store } = world
  const rowsOf = async <Row>(statement: ReturnType<typeof sql<Row>>) => (await statement.execute(store.db)).rows
  const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) => {
    const answer = await page(method, url, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body as { id: string; shortId: string; items: { id: string }[] }
  }
  const analyticalDatabaseConfigId = (await send('GET', '/app/api/databases')).items[0]!.id
  const query = await send('POST', '/app/api/queries', { sql: slowSql, analyticalDatabaseConfigId })
  const day = { name: 'day', displayName: 'Day', type: 'date', defaultValue: '2026-01-01', description: '' }
  const { shortId } = await send('POST', '/app/api/references', { queryId: query.id, title: 'By day', parameters: [day] })
  await send('POST', `/app/api/references/${shortId}/history-fill`, { parameter: 'day', days })

  for (let done = 0; done < days; done++) {
    const isInProgress = sql`select from history_fills where done_count = ${done} and lease_number > recorded_lease_number`
    await until(async () => (await rowsOf(isInProgress)).length === 1)
    worker.process.kill('SIGKILL')
    await worker.stop('SIGKILL')
    await untilDisconnected(store.db, worker.name)
    // Instead of waiting for the leases to expire.
    await sql`update history_fills set next_attempt_at = now() where state = 'due'`.execute(store.db)
    await sql`update runs set lease_expires_at = now() where status = 'running'`.execute(store.db)
    worker = await world.startWorker()
    await until(async () => (await rowsOf(sql`select from history_fills where done_count > ${done}`)).length === 1)
  }

  const fills = await rowsOf(sql`select state, done_count, failed_count from history_fills`)
  expect(fills).toEqual([{ state: 'completed', done_count: days, failed_count: 0 }])
  const filled = await rowsOf(sql<{ value: string; day: string }>`
    select run.parameter_values ->> 'day' as value, to_char(stands_for at time zone 'UTC', 'YYYY-MM-DD') as day
    from filled_results join runs as run on run.id = filled_results.run_id where run.status = 'completed' order by 2`)
  expect(filled).toHaveLength(days)
  for (const each of filled) expect(each.value).toBe(each.day)
})
