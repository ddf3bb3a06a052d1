import path from 'node:path'
import { makeSampleExtender } from '../sample/extend-samples.ts'
import { buildApp } from '../http/build-app.ts'
import { maintainEmbeddedStore } from '../backup/maintain-embedded-store.ts'
import { finishRestore, storeHistoryId } from '../backup/put-in-place.ts'
import { type Config, ConfigError, readConfig } from '../settings/config.ts'
import { lockDataDirectory, prepareDataDirectory, readSecretKey, removeTemporaryFiles } from '../settings/data-directory.ts'
import { settleImports } from '../domain/databases/pending-imports.ts'
import { renewWelcome } from '../domain/people/welcome.ts'
import { isInAllowedNetworks, vetAddresses } from '../domain/webhooks/addresses/endpoint-addresses.ts'
import { makeMetrics } from '../domain/metrics.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import { type Log, openLog } from '../ports/log.ts'
import { openStdoutWriter } from '../ports/log-writer.ts'
import { makeThreadedMail } from '../ports/threaded-mail.ts'
import { makeGuardedFetch } from '../ports/network/guarded-fetch.ts'
import { makeNetwork } from '../ports/network/make-network.ts'
import { makeSystemNames } from '../ports/network/system-names.ts'
import { secureRandom } from '../ports/random.ts'
import { defaultStreamLimits } from '../http/server-sent-events.ts'
import { makeServices } from './make-services.ts'
import { startTelemetry } from './start-telemetry.ts'
import { type Db, openEmbedded, openPostgres } from '../store/db.ts'
import { migrate, SchemaTooNew } from '../store/migrate.ts'
import { readOldestWaiting } from '../store/oldest-waiting.ts'
import { readTableSizes } from '../store/read-table-sizes.ts'
import { openWithRetries, StoreUnreachable } from '../store/open-with-retries.ts'
import { expireAgentRunLeases } from '../store/agent-runs/agent-run-leases.ts'
import { expireRunLeases } from '../store/runs/run-leases.ts'
import { makeStoreClock, readStoreTime } from '../store/store-clock.ts'
import { unpackStoreImage } from '../store/store-image.ts'
import { expireDeliveryLeases } from '../store/webhooks/expire-delivery-leases.ts'
import { firstStart, runSample } from './first-start.ts'
import { makeStep, showGreeting, showStopping } from './greeting.ts'
import { migrateStore } from './migrate-store.ts'
import { resetPasswordOnce } from './reset-password.ts'
import { resetSecondFactorOnce } from './reset-second-factor.ts'
import { repeatTask } from '../work/repeat.ts'
import { buildWorkers } from '../workers/build-workers.ts'

/** The process: reads the environment, builds the real ports, starts everything, and stops it in reverse order. */
const random = secureRandom
/** Longer than an ordinary query, shorter than a supervisor waits before it kills the process. */
const graceMs = 8_000
/** How long a clean exit waits for a slow reader of the log. */
const logFlushMs = 1_000

async function start(config: Config, stopping: AbortSignal): Promise<() => Promise<void>> {
  const format = config.logFormat ?? (process.stdout.isTTY ? 'text' : 'json')
  // At a terminal, lines about every request and run would bury the greeting with its credentials.
  const log = openLog({ format, level: config.logLevel ?? (format === 'text' ? 'warn' : 'info') })
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of stops.splice(0).toReversed()) await step()
  }
  try {
    await prepareDataDirectory(config.dataDirectory)
    await finishRestore(config.dataDirectory, process.pid)
    if (!config.databaseUrl) {
      stops.push(await lockDataDirectory(config.dataDirectory, process.pid))
      await removeTemporaryFiles(config.dataDirectory)
    }
    const secretKey = await readSecretKey({ folder: config.dataDirectory, given: config.secretKey, random })

    const { databaseUrl: url, databaseDirectUrl: directUrl } = config
    const creating = makeStep('Creating the embedded database')
    const store = url
      ? await openWithRetries({ url, open: () => openPostgres({ url, directUrl, clock: systemClock, log }), clock: systemClock, log })
      : await openEmbedded({
          folder: path.join(config.dataDirectory, 'store'),
          onFirstStart: creating.begin,
          async unpackImage(target) {
            const isUnpacked = await unpackStoreImage({ target, clock: systemClock, random })
            if (isUnpacked) log.info('embedded store unpacked from its image')
            return isUnpacked
          },
        })
    stops.push(store.close)
    const { applied, unknown } = await migrate({ db: store.directDb, clock: systemClock, log })
    creating.end()
    if (applied.length > 0) log.info({ migrations: applied }, 'schema migrated')
    if (unknown.length > 0) {
      log.warn({ migrations: unknown }, 'schema is newer than this version; ignoring unknown migrations')
    }
    const clock = url ? await followStoreTime({ db: store.db, log, stops }) : systemClock
    // The embedded store has a single process: work that a killed process left behind can be reclaimed without waiting for its leases.
    if (!config.databaseUrl) {
      await expireRunLeases(store.db)
      await expireDeliveryLeases(store.db)
      await expireAgentRunLeases(store.db)
    }

    const dnsServers = config.webhookDnsServers
    const network = makeNetwork({ clock, ...(dnsServers && { dnsServers }) })
    stops.push(() => network.close())
    // Not the DNS servers for webhooks: warehouses often have internal names that public DNS servers cannot resolve.
    const databaseNames = makeSystemNames()
    stops.push(async () => databaseNames.close())
    const agentRules = { allowedNetworks: config.agentAllowedNetworks }
    const guarded = makeGuardedFetch({
      clock,
      resolve: network.resolve,
      vet: (addresses) => vetAddresses(addresses, agentRules),
      isAllowedPlain: (address) => isInAllowedNetworks(address, agentRules),
      ownUrl: new URL(config.baseUrl),
    })
    stops.push(() => guarded.close())
    const mail = config.smtp && makeThreadedMail(config.smtp)
    if (mail) stops.push(() => mail.close())
    const oidc = config.oidc && (await import('../ports/oidc-provider.ts')).makeOidcProvider({ settings: config.oidc, clock })
    const services = await makeServices({
      ...config,
      clock,
      random,
      log,
      network,
      databaseNames,
      agentFetch: guarded.fetch,
      mail,
      oidc,
      store: url ? store : { ...store, systemIdentifier: await storeHistoryId(config.dataDirectory, store.systemIdentifier) },
      secretKey,
    })
    stops.push(services.closeProcesses)
    await settleImports(services)
    stops.push(services.lastUsed.flush, services.lastSeen.flush, services.keyUse.flush, services.pendingJobs.settled)
    const seeding = makeStep('Loading sample data')
    const { bootstrapped, sample } = await store.oneAtATime(() =>
      firstStart(services, config.bootstrap, { onSeeding: seeding.begin }),
    )

    const metrics = makeMetrics()
    metrics.watchDroppedLogLines(openStdoutWriter().droppedLines)
    metrics.watchWaiting(() => readOldestWaiting(store.db, { now: clock.now() }))
    metrics.watchTableSizes(() => readTableSizes(store.db))
    const { role } = config
    const telemetry = config.telemetry && startTelemetry({ setting: config.telemetry, role, clock, random, log, metrics })
    if (telemetry) stops.push(telemetry.stop)
    const tracer = telemetry?.tracer
    if (role !== 'api') {
      const limits = { maxRows: config.resultMaxRows, maxMb: config.resultMaxMb }
      const worker = buildWorkers({
        services,
        metrics,
        limits,
        runTimeoutSeconds: config.queryTimeoutSeconds,
        agentTimeoutSeconds: config.agentTimeoutSeconds,
        isStoreShared: url !== null,
        session: store.session,
        tracer,
      })
      worker.start()
      stops.push(() => worker.stop({ graceMs }))
      const sampleExtender = makeSampleExtender(services)
      sampleExtender.start()
      stops.push(() => sampleExtender.stop())
      if (sample && config.role === 'all') await runSample(services, sample)
    }
    seeding.end()
    // A worker also listens, for health checks and metrics.
    const { queryApi, trustProxy, apiLimits } = config
    const isOnlyForOperator = config.role === 'worker'
    const streamLimits = { ...defaultStreamLimits, perProcess: config.eventStreamsMax }
    const logger = log
    const app = await buildApp({ services, queryApi, metrics, tracer, logger, isOnlyForOperator, stopping, trustProxy, streamLimits, apiLimits })
    await app.listen({ host: config.host, port: config.port })
    stops.push(() => app.close())
    if (!config.databaseUrl) {
      const { dataDirectory } = config
      const isSecretKeyGiven = config.secretKey !== null
      const maintenance = await maintainEmbeddedStore({ dataDirectory, store, secretKey, isSecretKeyGiven, clock, log })
      stops.push(() => maintenance.stop())
    }
    // Workers show no credentials.
    const isWelcoming = bootstrapped === undefined && config.role !== 'worker'
    showGreeting({ config, bootstrapped, welcomeToken: isWelcoming ? (await renewWelcome(services))?.token : undefined })
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** Processes that share a store use the store's time, because the clock of this machine may be wrong. */
async function followStoreTime({ db, log, stops }: { db: Db; log: Log; stops: (() => Promise<unknown>)[] }): Promise<Clock> {
  const clock = makeStoreClock({ clock: systemClock, readStoreTime: () => readStoreTime(db), log })
  await clock.compare()
  const comparing = repeatTask({ what: "compare the clock with the store's time", everyMs: 30_000, clock, log, act: clock.compare })
  comparing.start()
  stops.push(() => comparing.stop())
  return clock
}

/**
 * Runs from start to stop. Signal handlers are installed first: as process 1 of a container, this process would otherwise ignore
 * the signals.
 */
async function run(config: Config): Promise<void> {
  const stopping = new AbortController()
  let stop: (() => Promise<void>) | undefined
  async function stopInOrder(signal: NodeJS.Signals) {
    stopping.abort('asked to stop')
    showStopping()
    // Ctrl+C at a terminal: there is no load balancer that has to notice.
    if (signal === 'SIGTERM') await systemClock.sleep(config.drainSeconds * 1000)
    await stop!()
    await openStdoutWriter().flush(logFlushMs)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Still starting: the next start completes whatever this one leaves unfinished.
      if (!stop) process.exit(0)
      // A second signal: stop without waiting.
      if (stopping.signal.aborted) process.exit(1)
      stopInOrder(signal).then(
        () => process.exit(0),
        (error: unknown) => fail(error, 'Querypost could not stop cleanly.'),
      )
    })
  }
  stop = await start(config, stopping.signal)
}

function fail(error: unknown, headline = 'Querypost could not start.'): never {
  const isListening = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  const known = isListening || [ConfigError, StoreUnreachable, SchemaTooNew].some((kind) => error instanceof kind)
  const hint = isListening ? ' Stop the process that uses this port, or choose another port. Example: PORT=3001 npm start' : ''
  process.stderr.write(`\n${headline}\n${known ? (error as Error).message + hint : String((error as Error).stack)}\n`)
  process.exit(1)
}

/**
 * Unlike a command, a service keeps running when its output is closed. It never writes to these streams directly, but Node and
 * libraries do.
 */
function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => {})
}

type Environment = Record<string, string | undefined>

/** `querypost start`: runs until it is asked to stop, then ends the process. */
export async function runService(environment: Environment): Promise<void> {
  ignoreOutputErrors()
  try {
    await run(readConfig(environment))
  } catch (error) {
    fail(error)
  }
}

/** `querypost reset-password`. */
export async function resetPassword(environment: Environment, email: string): Promise<void> {
  try {
    await resetPasswordOnce({ config: readConfig(environment), email, clock: systemClock, random, processId: process.pid })
  } catch (error) {
    fail(error, 'No password reset link was created.')
  }
}

/** `querypost reset-second-factor`. */
export async function resetSecondFactor(environment: Environment, email: string): Promise<void> {
  try {
    await resetSecondFactorOnce({ config: readConfig(environment), email, clock: systemClock, random, processId: process.pid })
  } catch (error) {
    fail(error, 'The second factor was not removed.')
  }
}

/** `querypost migrate`. */
export async function migrateSchema(environment: Environment): Promise<void> {
  try {
    const done = await migrateStore({ config: readConfig(environment), clock: systemClock, processId: process.pid })
    process.stdout.write(`${done}\n`)
  } catch (error) {
    fail(error, 'The schema could not be migrated.')
  }
}
