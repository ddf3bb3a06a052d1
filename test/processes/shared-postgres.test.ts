import { mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'

let dataDirectory: string
let url: string
let services: ServiceProcess[]

beforeAll(async () => {
  dataDirectory = await mkdtemp(path.join(tmpdir(), 'querypost-shared-'))
  const name = `shared_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client(inject('postgresUrl'))
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const address = new URL(inject('postgresUrl'))
  address.pathname = `/${name}`
  url = address.href
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop('SIGKILL')))
  await rm(dataDirectory, { recursive: true, force: true })
})

test('processes that start together on an empty server share one first start and divide the work', async () => {
  const start = (role: string) => startServiceProcess({ dataDirectory, environment: { DATABASE_URL: url, ROLE: role } })
  services = await Promise.all(['api', 'api', 'worker'].map(start))
  const [first, second, worker] = services as [ServiceProcess, ServiceProcess, ServiceProcess]
  for (const service of services) expect(service.process.exitCode, service.output()).toBeNull()

  const me = await first.api('GET', '/api/me')
  expect(me.status).toBe(200)
  expect((await second.api('GET', '/api/me')).body).toEqual(me.body)
  const { items } = (await second.api('GET', '/api/queries')).body as { items: { id: string }[] }
  expect(items).toHaveLength(6)

  // A run that one process accepts is run by another and read at a third.
  const queryId = items[0]!.id
  expect((await first.api('POST', `/api/queries/${queryId}/refresh`)).status).toBe(202)
  for (;;) {
    const { body } = await second.api('GET', `/api/queries/${queryId}`)
    const { status } = (body as { latestRun: { status: string } }).latestRun
    if (status === 'completed') break
    expect(status).not.toBe('failed')
  }
  expect((await second.api('GET', `/api/queries/${queryId}/result`)).status).toBe(200)
  expect((await fetch(`${worker.baseUrl}/readyz`)).status).toBe(200)
  expect((await fetch(`${worker.baseUrl}/api/me`)).status).toBe(404)
})
