import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance, version as duckdbVersion } from '@duckdb/node-api'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from '../src/http/build-app.ts'
import { databaseFolder } from '../src/domain/databases/engines.ts'
import { newId } from '../src/domain/ids.ts'
import { createApiKey } from '../src/domain/people/api-keys.ts'
import { scopeActions } from '../src/model/api-key-scope.ts'
import type { Caller } from '../src/model/caller.ts'
import { addMember, createOrganization, createUser } from '../src/domain/people/organizations.ts'
import type { Run } from '../src/model/run.ts'
import { isEnded } from '../src/domain/runs/read-runs.ts'
import { parseAllowedNetworks } from '../src/domain/webhooks/addresses/endpoint-addresses.ts'
import type { TrustProxy } from '../src/http/client-address.ts'
import type { QueryApiSetting } from '../src/http/query-api-retirement.ts'
import { makeMetrics } from '../src/domain/metrics.ts'
import type { Mail } from '../src/ports/mail.ts'
import { systemClock } from '../src/ports/clock.ts'
import { type ApiLimits, noApiLimits } from '../src/domain/api-limits/api-limits.ts'
import type { GuardedFetch } from '../src/ports/network/guarded-fetch.ts'
import type { OidcProvider } from '../src/ports/oidc.ts'
import type { ResultLimits } from '../src/results/result-too-large.ts'
import type { ResultsSetting } from '../src/results/results-setting.ts'
import { makeServices, type Services } from '../src/process/make-services.ts'
import type { Store } from '../src/store/db.ts'
import { insertDatabase, recordDatabaseFacts } from '../src/store/databases/databases-table.ts'
import type { Role } from '../src/model/people.ts'
import { findRun } from '../src/store/runs/runs-table.ts'
import { buildWorkers } from '../src/workers/build-workers.ts'
import { cheapCost, cheapHash } from './cheap-hash.ts'
import { buildChecked } from './http/check-answers.ts'
import { fakeNetwork, type FakeNetwork } from './fake-network.ts'
import { pollPause } from './poll-pause.ts'
import { type ManualClock, manualClock } from './manual-clock.ts'
import { seededRandom } from './seeded-random.ts'
import { silentLog } from './silent-log.ts'
import { openTestStore, type StoreKind } from './store/test-store.ts'

/** The whole service in this process, with its own store and a clock that the test controls. It does not listen on a port. */
export interface TestService {
  app: FastifyInstance
  services: Services
  clock: ManualClock
  /** The network that deliveries and address checks use. */
  network: FakeNetwork
  /** Adds an organization with an admin. */
  addOrganization(name: string): Promise<TestOrganization>
  /** Waits for a run to complete or fail. */
  ended(caller: Caller, runId: string): Promise<Run>
  stop(): Promise<void>
}

export interface TestOrganization {
  admin: TestPerson
  /** A DuckDB database with the table `numbers (n integer)`, 0 to 9. */
  databaseId: string
  addPerson(role: Role, email: string): Promise<TestPerson>
}

export interface TestPerson {
  caller: Caller
  email: string
  apiKey: string
  /** The cookies of the person's session. */
  session: Record<string, string>
  /** A request to `/api` with the person's key. */
  api(method: Method, url: string, body?: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  /** A request to `/app/api` with the person's session. */
  page(method: Method, url: string, body?: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>
}

type Method = NonNullable<InjectOptions['method']>

export const testPassword = 'correct horse battery'

/** Used for every user. */
const passwordHash = cheapHash(testPassword)

export async function startTestService(
  kind: StoreKind,
  options: {
    queryApi?: QueryApiSetting
    apiLimits?: ApiLimits
    limits?: ResultLimits
    /** Where results are stored; in files by default. */
    results?: ResultsSetting
    runTimeoutSeconds?: number
    agentTimeoutSeconds?: number
    /** The `fetch` for models and data connectors. By default, every call fails. */
    agentFetch?: GuardedFetch
    slackApiUrl?: string
    mail?: Mail
    oidc?: OidcProvider
    /**
     * DATABASE_ALLOWED_NETWORKS. By default databases may be anywhere, including this machine and the store's server, because tests have
     * several organizations with their warehouses here.
     */
    databaseAllowedNetworks?: string
    /** False if runs should stay pending. */
    worker?: boolean
    trustProxy?: TrustProxy
    /** An empty store of the kind by default. */
    openStore?(options: { clock: ManualClock }): Promise<Store>
    /** Services with different seeds create different ids. */
    seed?: string
    /** For tests that check the log. */
    logger?: Logger
  } = {},
): Promise<TestService> {
  const clock = manualClock()
  const random = seededRandom(options.seed ?? 'test service')
  const log = options.logger ?? silentLog
  const network = fakeNetwork()
  const store = await (options.openStore?.({ clock }) ?? openTestStore(kind, { clock }))
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'querypost-test-'))
  const baseUrl = 'https://querypost.test'
  const services = await makeServices({
    clock,
    // A test that advances its clock would end the idle processes, and the next query would wait for a new one.
    engineProcessClock: systemClock,
    random,
    log,
    network,
    agentFetch: options.agentFetch ?? refusingFetch,
    ...(options.slackApiUrl !== undefined && { slackApiUrl: options.slackApiUrl }),
    mail: options.mail ?? null,
    oidc: options.oidc ?? null,
    store,
    secretKey: Buffer.alloc(32, 7),
    passwordCost: cheapCost,
    baseUrl,
    dataDirectory,
    resultTtlHours: 24,
    // The clock stands still, so a process would never be allowed to send another message.
    reportMessagesPerSecond: 1_000_000,
    databaseAllowedNetworks: networksIn(options.databaseAllowedNetworks ?? '0.0.0.0/0, ::/0, 127.0.0.1, ::1'),
    ...(options.results && { results: options.results }),
  })
  const metrics = makeMetrics()
  const queryApi = options.queryApi ?? { state: 'active', sunset: null }
  const { app, expectNoFaults } = await buildChecked(() =>
    buildApp({ services, queryApi, metrics, logger: log, trustProxy: options.trustProxy ?? null, apiLimits: options.apiLimits ?? noApiLimits }),
  )
  const worker = buildWorkers({
    services,
    metrics,
    limits: options.limits ?? { maxRows: 1_000_000, maxMb: 100 },
    runTimeoutSeconds: options.runTimeoutSeconds ?? 300,
    agentTimeoutSeconds: options.agentTimeoutSeconds ?? 600,
  })
  if (options.worker !== false) worker.start()

  async function makePerson(organizationId: string, role: Role, email: string): Promise<TestPerson> {
    const caller = await services.db.transaction().execute(async (tx) => {
      const user = await createUser({ tx, clock, random }, { email, name: email.split('@')[0]!, passwordHash })
      return addMember({ tx, clock }, { organizationId, userId: user.id, role })
    })
    const { key } = await createApiKey(services, caller, { name: `key of ${email}`, scopes: scopeActions })
    const signedIn = await app.inject({
      method: 'POST',
      url: '/app/api/session',
      payload: { email, password: testPassword },
    })
    const session = Object.fromEntries(signedIn.cookies.map(({ name, value }) => [name, value]))
    const send = (rest: InjectOptions, body: unknown) =>
      app.inject({ ...rest, ...(body !== undefined && { payload: body as object }) })
    return {
      caller,
      email,
      apiKey: key,
      session,
      api: (method, url, body, headers) => send({ method, url, headers: { ...headers, authorization: `Bearer ${key}` } }, body),
      page: (method, url, body, headers) => send({ method, url, cookies: session, ...(headers && { headers }) }, body),
    }
  }

  return {
    app,
    services,
    clock,
    network,
    async addOrganization(name) {
      const organization = await services.db
        .transaction()
        .execute((tx) => createOrganization({ tx, clock, random }, { name }))
      const admin = await makePerson(organization.id, 'admin', `admin@${name}.test`)
      return {
        admin,
        databaseId: await addNumbers(services, admin.caller),
        addPerson: (role, email) => makePerson(organization.id, role, email),
      }
    },
    async ended(caller, runId) {
      for (;;) {
        const run = await findRun(services.db, { organizationId: caller.organizationId, runId })
        if (run && isEnded(run)) return run
        await pollPause()
      }
    },
    async stop() {
      if (options.worker !== false) await worker.stop({ graceMs: 0 })
      await app.close()
      await services.pendingJobs.settled()
      await services.lastUsed.flush()
      await services.lastSeen.flush()
      await services.keyUse.flush()
      await services.closeProcesses()
      await store.close()
      await rm(dataDirectory, { recursive: true, force: true })
      expectNoFaults()
    },
  }
}

function networksIn(text: string) {
  const parsed = parseAllowedNetworks(text)
  if ('fault' in parsed) throw new Error(parsed.fault)
  return parsed.networks
}

const refusingFetch: GuardedFetch = () => Promise.reject(new Error('This test has no model and no data connector.'))

/** Like `addDatabase`, but without a process that opens the file to check it. */
async function addNumbers(services: Services, { organizationId, userId }: Caller): Promise<string> {
  const { db, clock, random, dataDirectory } = services
  const folder = databaseFolder({ dataDirectory, organizationId })
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'numbers.duckdb'), await (numbers ??= makeNumbers()))
  const id = newId(random, 'db')
  const settings = { file: 'numbers.duckdb' }
  const createdAt = clock.now()
  await insertDatabase(db, { id, organizationId, name: 'Numbers', engine: 'duckdb', settings, createdBy: userId, createdAt })
  const lastTest = { ok: true, durationMs: 0, version: `DuckDB ${duckdbVersion()}`, testedAt: createdAt.toISOString() } as const
  await recordDatabaseFacts(db, { organizationId, configId: id }, { tableCount: 1, lastTest })
  return id
}

/** The file's bytes, created once. */
let numbers: Promise<Uint8Array> | undefined

async function makeNumbers(): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-numbers-'))
  const file = path.join(folder, 'numbers.duckdb')
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run('create table numbers as select i::integer as n from range(10) as r (i)')
  connection.closeSync()
  instance.closeSync()
  const bytes = await readFile(file)
  await rm(folder, { recursive: true })
  return bytes
}
