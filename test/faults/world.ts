import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { EventType } from '@querypost/server/model'
import { systemClock } from '@querypost/server/ports'
import { openPostgres, type Store } from '@querypost/server/store'
import { type Authority, copyTemplate, createDatabase, makeAuthority, silentLog } from '@querypost/server/testing'
import { newDataDirectory, type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { keepLeaseLog } from './lease-log.ts'
import { makePublisher, type Publisher } from './publisher.ts'

/** The service as in production: several processes that share one PostgreSQL. The receivers run in the test. */
export interface World {
  authority: Authority
  /** The test's own connection to the same PostgreSQL. */
  store: Store
  databaseUrl: string
  dataDirectory: string
  /** The first API process. */
  api: NamedProcess
  /** The processes that started together with it, in the order of `together`. */
  others: NamedProcess[]
  newPublisher(): Publisher
  startApi(options?: StartOptions): Promise<NamedProcess>
  startWorker(options?: StartOptions): Promise<NamedProcess>
  /** Adds an endpoint through the route of the pages, as an admin. */
  addEndpoint(options: { url: string; eventTypes?: EventType[]; isOrdered?: boolean }): Promise<Endpoint>
  removeEndpoints(endpoints: Endpoint[]): Promise<void>
  /** Sends a request with the admin's session. */
  page: Awaited<ReturnType<ServiceProcess['signIn']>>
  close(): Promise<void>
}

export interface NamedProcess extends ServiceProcess {
  /** The application name of its connections to PostgreSQL. */
  name: string
}

export interface StartOptions {
  /** The port of a process that it replaces. */
  port?: string
  environment?: Record<string, string>
}

export interface Endpoint {
  id: string
  url: string
  secret: string
}

export async function startWorld(options: {
  /** A server on which a new database is created. */
  postgresUrl: string
  /** Whether the first process has to migrate it. Required on a server without the template of the global setup. */
  isEmpty?: boolean
  environment?: Record<string, string>
  /** Environment of the API processes. */
  apiEnvironment?: Record<string, string>
  /** Roles of the processes that start on the empty database together with the first. */
  together?: ('api' | 'worker')[]
  /** Whether each process has its own data directory, as on separate machines. Only DuckDB files are shared. */
  isApart?: boolean
}): Promise<World> {
  const databaseUrl = await (options.isEmpty ? createDatabase : copyTemplate)(options.postgresUrl)
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
    async addEndpoint({ url, eventTypes = ['automation.run.completed'], isOrdered = false }) {
      const { status, body } = await page('POST', '/app/api/webhook-endpoints', { url, eventTypes, isOrdered })
      if (status !== 201) throw new Error(`the endpoint ${url} was rejected: ${JSON.stringify(body)}`)
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
