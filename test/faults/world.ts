import { randomUUID } from 'node:crypto'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import type { EventType } from '@querypost/server/model'
import { systemClock } from '@querypost/server/ports'
import { openPostgres, type Store } from '@querypost/server/store'
import { type Authority, makeAuthority, silentLog } from '@querypost/server/testing'
import { newDataDirectory, type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { keepLeaseLog } from './lease-log.ts'
import { makePublisher, type Publisher } from './publisher.ts'

/** The service as it runs in production: processes of their own that share one PostgreSQL. The test holds the receivers. */
export interface World {
  authority: Authority
  /** The test's own way to the same PostgreSQL. */
  store: Store
  databaseUrl: string
  dataDirectory: string
  /** The first one; others are started. */
  api: NamedProcess
  /** Those that started together with it, in the order of their roles. */
  others: NamedProcess[]
  newPublisher(): Publisher
  startApi(options?: StartOptions): Promise<NamedProcess>
  startWorker(options?: StartOptions): Promise<NamedProcess>
  /** Through the pages' route, as an admin does it. */
  addEndpoint(options: { url: string; eventTypes?: EventType[] }): Promise<Endpoint>
  removeEndpoints(endpoints: Endpoint[]): Promise<void>
  /** A request with the admin's session. */
  page: Awaited<ReturnType<ServiceProcess['signIn']>>
  close(): Promise<void>
}

export interface NamedProcess extends ServiceProcess {
  /** What its connections to PostgreSQL carry. */
  name: string
}

export interface StartOptions {
  /** In the place of one that is gone. */
  port?: string
  environment?: Record<string, string>
}

export interface Endpoint {
  id: string
  url: string
  secret: string
}

export async function startWorld(options: {
  /** Of a server; the world makes a database of its own there. */
  postgresUrl: string
  environment?: Record<string, string>
  /** For those that answer requests. */
  apiEnvironment?: Record<string, string>
  /** The roles of those that start on the empty database together with the first. */
  together?: ('api' | 'worker')[]
  /** Whether each has a data directory of its own, as on machines of their own. Only DuckDB files are where all reach them. */
  isApart?: boolean
}): Promise<World> {
  const databaseUrl = await createDatabase(options.postgresUrl)
  const dataDirectory = await newDataDirectory()
  const authority = await makeAuthority()
  const authorityFile = path.join(dataDirectory, 'test-authority.pem')
  await writeFile(authorityFile, authority.certificate)
  const processes: NamedProcess[] = []
  const counts = { api: 0, worker: 0 }

  async function newMachine(name: string): Promise<string> {
    const folder = path.join(dataDirectory, name)
    const databases = path.join(dataDirectory, 'databases')
    await mkdir(databases, { recursive: true })
    await mkdir(folder)
    await symlink(databases, path.join(folder, 'databases'))
    return folder
  }

  async function start(role: 'api' | 'worker', { port, environment }: StartOptions = {}): Promise<NamedProcess> {
    const name = `${role}-${++counts[role]}`
    const url = new URL(databaseUrl)
    url.searchParams.set('application_name', name)
    const service = await startServiceProcess({
      dataDirectory: options.isApart ? await newMachine(name) : dataDirectory,
      environment: {
        SECRET_KEY: 'the same for all processes of this world',
        ROLE: role,
        DATABASE_URL: url.href,
        NODE_EXTRA_CA_CERTS: authorityFile,
        NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        ...(port !== undefined && { PORT: port }),
        ...options.environment,
        ...(role === 'api' && options.apiEnvironment),
        ...environment,
      },
    })
    const named = { ...service, name }
    processes.push(named)
    if (service.process.exitCode !== null) throw new Error(`${name} did not start:\n${service.output()}`)
    return named
  }

  const [api, ...others] = await Promise.all([start('api'), ...(options.together ?? []).map((role) => start(role))])
  const page = await api.signIn()
  const me = await api.api('GET', '/api/me')
  const store = await openPostgres({ url: databaseUrl, clock: systemClock, log: silentLog })
  await keepLeaseLog(store.db)
  const organizationId = (me.body as { organization: { id: string } }).organization.id

  return {
    authority,
    store,
    databaseUrl,
    dataDirectory,
    api,
    others,
    page,
    newPublisher: () => makePublisher({ store, organizationId }),
    startApi: (how) => start('api', how),
    startWorker: (how) => start('worker', how),
    async addEndpoint({ url, eventTypes = ['automation.run.completed'] }) {
      const { status, body } = await page('POST', '/app/api/webhook-endpoints', { url, eventTypes })
      if (status !== 201) throw new Error(`the endpoint ${url} was refused: ${JSON.stringify(body)}`)
      return body
    },
    async removeEndpoints(endpoints) {
      for (const { id } of endpoints) await page('DELETE', `/app/api/webhook-endpoints/${id}`)
    },
    async close() {
      await Promise.all(processes.map((service) => service.stop('SIGKILL')))
      await store.close()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

async function createDatabase(postgresUrl: string): Promise<string> {
  const name = `faults_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client(postgresUrl)
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return url.href
}
