import { rm } from 'node:fs/promises'
import { expect } from 'vitest'
import { systemClock } from '@querypost/server/ports'
import { openPostgres, type Store } from '@querypost/server/store'
import { type PostgresServer, silentLog, startPostgresServer } from '@querypost/server/testing'
import { closeGate } from '../processes/gate.ts'
import { newDataDirectory, type ServiceProcess, startServiceProcess, testKey } from '../service-process.ts'
import { until } from './until.ts'

/** One process with `ROLE=all` on its own PostgreSQL server, which can be stopped. */
export interface OneProcess {
  service: ServiceProcess
  server: PostgresServer
  store: Store
  queryIds: string[]
  close(): Promise<void>
}

export async function startOneProcess(): Promise<OneProcess> {
  const server = await startPostgresServer({ durable: true })
  const dataDirectory = await newDataDirectory()
  const service = await startServiceProcess({
    dataDirectory,
    environment: { ROLE: 'all', RESULTS: 'postgres', DATABASE_URL: server.url, SECRET_KEY: 'the same for all processes of this world' },
  })
  if (service.process.exitCode !== null) {
    await server.stop()
    throw new Error(`the service did not start:\n${service.output()}`)
  }
  const store = await openPostgres({ url: server.url, clock: systemClock, log: silentLog })
  const { body } = await service.api('GET', '/api/queries/refs')
  const references = (body as { items: { currentQuery: { id: string } }[] }).items
  const one = {
    service,
    server,
    store,
    queryIds: references.map(({ currentQuery }) => currentQuery.id),
    async close() {
      await service.stop('SIGKILL')
      await store.close()
      await server.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
  // The first start runs the sample's queries.
  await untilRunsEnded(one)
  return one
}

const untilRunsEnded = ({ store }: Pick<OneProcess, 'store'>) =>
  until(async () => {
    const unfinished = await store.db.selectFrom('runs').select('id').where('status', 'in', ['pending', 'running']).execute()
    return unfinished.length === 0
  })

async function me({ service }: OneProcess) {
  const answer = await fetch(`${service.baseUrl}/api/me`, { headers: { authorization: `Bearer ${testKey}` } })
  const body = (await answer.json()) as { code?: string }
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), code: body.code }
}

/**
 * Stops PostgreSQL just when the end of a run is being recorded. Checks that the process answers correctly during and after the outage,
 * that the run ends properly, and that new work is done.
 */
export async function surviveOutage(one: OneProcess, outage: { how: 'shutdown' | 'crash'; awayMs: number }): Promise<void> {
  const { service, server, store, queryIds } = one
  const [ending, next] = queryIds as [string, string]
  const gate = await closeGate(store.db, server.url)
  await gate.holdUp('runs', 'query_id', ending)
  const asked = await service.api('POST', `/api/queries/${ending}/refresh`)
  expect(asked.status).toBe(202)
  await gate.untilHeld(1)

  await server.interrupt(outage.how)
  const backAtMs = systemClock.monotonicMs() + outage.awayMs
  await until(async () => (await fetch(`${service.baseUrl}/readyz`)).status === 503)
  do {
    expect(await me(one)).toEqual({ status: 503, retryAfter: '5', code: 'store_unavailable' })
    expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200)
    await systemClock.sleep(Math.min(500, Math.max(0, backAtMs - systemClock.monotonicMs())))
  } while (systemClock.monotonicMs() < backAtMs)
  expect(service.process.exitCode, service.output()).toBeNull()
  await server.resume()

  await until(async () => (await fetch(`${service.baseUrl}/readyz`)).status === 200)
  await until(async () => (await me(one)).status === 200)
  await untilRunsEnded(one)
  const { id } = asked.body as { id: string }
  const run = await store.db.selectFrom('runs').select(['status', 'failure_reason']).where('id', '=', id).executeTakeFirstOrThrow()
  expect(run).toEqual({ status: 'completed', failure_reason: null })
  expect((await service.api('GET', `/api/queries/${ending}/result`)).status).toBe(200)

  await gate.remove(store.db)
  expect((await service.api('POST', `/api/queries/${next}/refresh`)).status).toBe(202)
  await untilRunsEnded(one)
  expect((await service.api('GET', `/api/queries/${next}/result`)).status).toBe(200)
  expect(service.process.exitCode, service.output()).toBeNull()
}
