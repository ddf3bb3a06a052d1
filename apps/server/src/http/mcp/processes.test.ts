import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { buildApp } from '../build-app.ts'
import { makeMetrics } from '../../domain/metrics.ts'
import { systemClock } from '../../ports/clock.ts'
import { makeServices } from '../../process/make-services.ts'
import { openPostgres } from '../../store/db.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { storeQuery, storeReference } from '../../../testing/http/requests.ts'
import { connect, listenAt } from '../../../testing/http/mcp-client.ts'

/** Two services on one PostgreSQL server; only the first runs workers. Results are in PostgreSQL too. */
let service: TestService
let shop: TestOrganization
let urls: string[]
const ends: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  service = await startTestService('postgres', { results: { kind: 'postgres' } })
  ends.push(() => service.stop())
  shop = await service.addOrganization('shop')
  urls = [await listenAt(service.app), await listenAt(await startSecond())]
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

async function startSecond() {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(service.services.db)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${rows[0]!.name}`
  const store = await openPostgres({ url: url.href, clock: systemClock, log: silentLog })
  const { clock, network, services } = service
  const { agentFetch, baseUrl, dataDirectory } = services
  const second = await makeServices({
    clock,
    random: seededRandom('the second'),
    log: silentLog,
    network,
    agentFetch,
    mail: null,
    store,
    secretKey: Buffer.alloc(32, 7),
    baseUrl,
    dataDirectory,
    slackApiUrl: 'https://slack.test/api/',
    results: { kind: 'postgres' },
    resultTtlHours: 24,
  })
  const queryApi = { state: 'active', sunset: null } as const
  const app = await buildApp({ services: second, queryApi, metrics: makeMetrics(), logger: silentLog })
  ends.push(async () => {
    await app.close()
    await Promise.all([second.lastUsed.flush(), second.keyUse.flush()])
    await second.closeProcesses()
    await store.close()
  })
  return app
}

test('serve one client’s requests in turn', async () => {
  const turns: number[] = []
  const byTurns: typeof fetch = (_input, init) => {
    const turn = turns.length % urls.length
    turns.push(turn)
    return fetch(urls[turn]!, init)
  }
  const { client, call } = await connect(urls[0]!, shop.admin.apiKey, { fetch: byTurns })
  const shortIds: string[] = []
  for (const title of ['One', 'Two', 'Three']) {
    await service.clock.advance(1)
    const { id } = await storeQuery(shop, 'select n from numbers order by n')
    shortIds.push((await storeReference(shop, id, { title })).shortId)
  }

  interface List {
    items: { shortId: string }[]
    nextCursor?: string
  }
  const seen: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page: List = await call('list_references', { limit: 1, ...(cursor && { cursor }) })
    seen.push(...page.items.map(({ shortId }) => shortId))
    if (page.nextCursor === undefined) break
    cursor = page.nextCursor
  }
  expect(seen).toEqual(shortIds.toReversed())

  // Whichever process gets the request, the worker finds the run, and the waiting process learns of its end.
  for (const shortId of shortIds.slice(0, 2)) {
    const run = await call<{ id: string }>('run_reference', { shortId, waitSeconds: 45 })
    expect(run).toMatchObject({ status: 'completed', rowCount: 10 })
    for (const offset of [0, 5]) {
      const { rows } = await call<{ rows: unknown[][] }>('read_result', { runId: run.id, offset, limit: 5 })
      expect(rows).toEqual([0, 1, 2, 3, 4].map((each) => [each + offset]))
    }
  }
  expect(new Set(turns)).toEqual(new Set([0, 1]))
  await client.close()
})
