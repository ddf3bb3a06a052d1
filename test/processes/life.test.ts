import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { until } from '../faults/until.ts'
import { newDataDirectory, type ServiceProcess, startServiceProcess } from '../service-process.ts'

/** A proxy between the service and PostgreSQL that can act as if there were no server. */
let door: Server
let isOpen: boolean
let connectionAttempts: number
let dataDirectory: string
let databaseUrl: string
const services: ServiceProcess[] = []

beforeAll(async () => {
  dataDirectory = await newDataDirectory()
  const server = new URL(inject('postgresUrl'))
  const port = Number(server.port)
  const admin = new pg.Client(server.href)
  await admin.connect()
  await admin.query('create database life_of_a_process')
  await admin.end()
  isOpen = false
  connectionAttempts = 0
  door = createServer((socket) => {
    connectionAttempts += 1
    socket.on('error', () => {})
    if (!isOpen) return void socket.destroy()
    const behind = connect(port, '127.0.0.1')
    behind.on('error', () => {})
    socket.pipe(behind).pipe(socket)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  server.port = String((door.address() as AddressInfo).port)
  server.pathname = '/life_of_a_process'
  databaseUrl = server.href
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop('SIGKILL')))
  door.close()
  await rm(dataDirectory, { recursive: true, force: true })
})

async function start(options: {
  environment?: Record<string, string>
  onSpawned?(service: ChildProcess): void
}): Promise<ServiceProcess> {
  const environment = { DATABASE_URL: databaseUrl, ...options.environment }
  const service = await startServiceProcess({ ...options, dataDirectory, environment })
  services.push(service)
  return service
}

test('SIGTERM stops a process that waits for PostgreSQL', async () => {
  const service = await start({
    environment: { ROLE: 'worker' },
    onSpawned: (child) => void until(() => connectionAttempts > 0).then(() => child.kill('SIGTERM')),
  })
  expect(await service.stop()).toEqual({ code: 0, signal: null })
  expect(service.output()).not.toContain('could not start')
})

test('fails at once when waiting for PostgreSQL cannot help', async () => {
  isOpen = true
  const nowhere = databaseUrl.replace('life_of_a_process', 'nowhere').replace('postgres@', 'postgres:hunter2@')
  const service = await start({ environment: { DATABASE_URL: nowhere } })
  expect(await service.stop()).toEqual({ code: 1, signal: null })
  expect(service.output()).toMatch(/PostgreSQL at 127\.0\.0\.1:\d+\/nowhere cannot be used: database "nowhere" does not exist\./)
  expect(service.output()).not.toMatch(/hunter2|^ +at /m)
  isOpen = false
})

/** Kills the first start once it has created the admin, while it loads the sample. */
async function interruptFirstStart(): Promise<void> {
  isOpen = true
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const hasAdmin = async () => {
    const { rows } = await client.query(`select to_regclass('person_links') is not null as "isMigrated"`)
    return rows[0].isMigrated && (await client.query('select from person_links')).rowCount === 1
  }
  const service = await start({
    environment: { ROLE: 'api', BOOTSTRAP_PASSWORD: '' },
    onSpawned: (child) => void until(hasAdmin).then(() => child.kill('SIGKILL')),
  })
  await service.stop('SIGKILL')
  await client.end()
  isOpen = false
}

test('a process after an interrupted first start waits for PostgreSQL, prints a new welcome link, and drains before it stops', async () => {
  await interruptFirstStart()
  const before = connectionAttempts
  // The second connection attempt is a retry.
  void until(() => connectionAttempts >= before + 2).then(() => (isOpen = true))
  const service = await start({ environment: { ROLE: 'api', DRAIN_SECONDS: '600' } })
  const { token } = /\/welcome#(?<token>[\w-]{43})\n/.exec(service.output())!.groups!
  expect(await service.api('POST', '/app/api/welcome/read', { token })).toMatchObject({ status: 200, body: { email: 'admin@localhost' } })
  expect(service.process.exitCode, service.output()).toBeNull()
  expect(service.output()).toMatch(/PostgreSQL at \S+ cannot be used: .*Trying again/)
  const answer = await fetch(`${service.baseUrl}/readyz`)
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'keep-alive'])

  const ended = service.stop('SIGTERM')
  await until(async () => (await fetch(`${service.baseUrl}/readyz`)).status === 503)
  // Clients that have not noticed yet get a response with `Connection: close`, so their next request goes elsewhere.
  expect((await service.api('GET', '/api/queries')).status).toBe(200)
  const last = await fetch(`${service.baseUrl}/healthz`)
  expect([last.status, last.headers.get('connection')]).toEqual([200, 'close'])

  // The second signal stops it at once.
  service.process.kill('SIGTERM')
  expect(await ended).toEqual({ code: 1, signal: null })
})

test('a port in use stops the start with a hint', async () => {
  const port = String((door.address() as AddressInfo).port)
  const service = await start({ environment: { ROLE: 'worker', HOST: '127.0.0.1', PORT: port } })
  expect(await service.stop()).toEqual({ code: 1, signal: null })
  expect(service.output()).toContain('EADDRINUSE')
  expect(service.output()).toContain('Example: PORT=')
})
