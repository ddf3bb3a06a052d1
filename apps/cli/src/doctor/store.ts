import { existsSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { MigrationFacts, Store } from '@querypost/server/store'
import type { CheckedChannel } from '@querypost/server/connections'
import type { CheckedDatabase } from '@querypost/server/engines'
import { type Check, failed, ok, skipped, warning } from '../checks.ts'
import { judgeClockDifference } from './clocks.ts'
import type { Examination, Installation } from './examination.ts'
import { formatBytes, sizeOf } from './disk-usage.ts'

/** A larger embedded store takes too long to copy. */
const copyMaxBytes = 2 * 2 ** 30

/**
 * The store of the service, and the databases configured in it. The embedded store allows one process and writes when it is opened, so
 * a copy is checked, and only if no service is running. A running service reports its readiness instead.
 */
export const store: Examination = {
  name: 'store',
  async run(installation) {
    const { config } = installation
    return config.databaseUrl === null ? checkEmbeddedStore(installation) : checkPostgres(installation, config.databaseUrl, config.databaseDirectUrl)
  },
}

async function checkEmbeddedStore(installation: Installation): Promise<Check[]> {
  const { config, ownerId, workFolder } = installation
  const folder = path.join(config.dataDirectory, 'store')
  if (!existsSync(folder)) return [ok('store', 'Embedded; the first start creates it.')]
  if (ownerId !== undefined) {
    return [
      skipped(
        'store',
        `Embedded, in use by process ${ownerId}. See readiness.`,
      ),
    ]
  }
  if (!existsSync(path.join(folder, 'PG_VERSION'))) {
    const remedy = 'Restore a backup (querypost restore), or move the folder away to start over.'
    return [failed('store', `${folder} exists but contains no store.`, remedy)]
  }
  const sizeBytes = await sizeOf(folder)
  if (sizeBytes > copyMaxBytes)
    return [skipped('store', `Embedded, ${formatBytes(sizeBytes)}: too large to check in a copy.`)]
  const { openEmbedded } = await import('@querypost/server/store')
  const copy = path.join(workFolder, 'store')
  try {
    await cp(folder, copy, { recursive: true })
    const opened = await openEmbedded({ folder: copy })
    return await withStore(opened, () => inspect(installation, opened, { kind: 'Embedded', isHere: true }))
  } catch (error) {
    installation.signal.throwIfAborted()
    const remedy =
      'Restore a backup (querypost restore). The check used a copy; the folder itself was not touched.'
    return [failed('store', `Can’t open the store: ${(error as Error).message}`, remedy)]
  }
}

async function checkPostgres(installation: Installation, url: string, directUrl: string | null): Promise<Check[]> {
  const { openPostgres } = await import('@querypost/server/store')
  const { openLog } = await import('@querypost/server/log')
  let opened: Store
  try {
    opened = await openPostgres({ url, directUrl, maxConnections: 2, clock: installation.clock, log: openLog({ level: 'silent' }) })
  } catch (error) {
    const { host, pathname } = new URL(url)
    const all = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error]
    const why = all.map(({ message }) => message).join('; ')
    return [
      failed(
        'store',
        `Can’t connect to PostgreSQL at ${host}${pathname}: ${why}`,
        'Check that it is running and that DATABASE_URL is correct.',
      ),
    ]
  }
  return withStore(opened, () =>
    inspect(installation, opened, { kind: `PostgreSQL at ${new URL(url).host}`, isHere: false }),
  )
}

async function withStore(opened: Store, run: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await run()
  } finally {
    await opened.close()
  }
}

async function inspect(
  installation: Installation,
  opened: Store,
  { kind, isHere }: { kind: string; isHere: boolean },
): Promise<Check[]> {
  const { clock } = installation
  const { inspectStore } = await import('@querypost/server/store')
  const { version, clockAheadMs, migrations } = await inspectStore({ db: opened.db, clock })
  const checks = [ok('store', `${kind}, version ${version}.`), judgeMigrations(migrations)]
  // The embedded store uses this machine's clock.
  if (!isHere)
    checks.push(judgeClockDifference('store clock', { owner: 'PostgreSQL', aheadMs: clockAheadMs, toleratedMs: 1000 }))
  if (migrations.appliedCount === 0) return checks
  return [...checks, ...(await checkSealed(installation, opened))]
}

export function judgeMigrations(facts: MigrationFacts): Check {
  const { appliedCount, pending, unknown, changed, tooNew } = facts
  if (tooNew !== null) return failed('migrations', tooNew, 'See docs/migrations.md.')
  if (changed.length > 0) {
    const what = `${changed.join(', ')} was changed after it was applied.`
    return failed('migrations', what, 'Reinstall the published version.')
  }
  if (unknown.length > 0) {
    const what = `${unknown.join(', ')} was applied by a newer version. This version works without it.`
    return warning('migrations', what, 'Finish the upgrade: start the newer version everywhere.')
  }
  if (appliedCount === 0) return ok('migrations', 'None applied yet: no service has started on this store.')
  if (pending.length > 0)
    return ok('migrations', `${appliedCount} applied; the next start applies ${pending.join(', ')}.`)
  return ok('migrations', `All ${appliedCount} applied.`)
}

/** What needs the key of the stored secrets: databases and channels. */
async function checkSealed(installation: Installation, opened: Store): Promise<Check[]> {
  const { config } = installation
  const secretKey =
    config.secretKey ?? (await readFile(path.join(config.dataDirectory, 'secret.key'), 'utf8').catch(() => undefined))
  if (secretKey === undefined) {
    const what =
      'The key for the stored secrets is missing: neither SECRET_KEY nor secret.key in the data directory.'
    return [
      failed(
        'databases',
        what,
        'Restore the key from a backup. Without it, stored passwords and webhook secrets are lost.',
      ),
    ]
  }
  const key = config.secretKey === null ? Buffer.from(secretKey, 'base64') : Buffer.from(secretKey)
  return [...(await checkDatabases(installation, opened, key)), ...(await checkChannels(installation, opened, key))]
}

async function checkDatabases({ config, clock, workFolder }: Installation, opened: Store, secretKey: Uint8Array): Promise<Check[]> {
  const { checkDatabases } = await import('@querypost/server/engines')
  const { openLog } = await import('@querypost/server/log')
  const tried = await checkDatabases({
    store: opened,
    config,
    secretKey,
    temporaryDirectory: path.join(workFolder, 'temporary'),
    clock,
    log: openLog({ level: 'silent' }),
  })
  return tried.length === 0 ? [skipped('databases', 'None configured.')] : tried.map(judgeDatabase)
}

export function judgeDatabase({ name, engine, outcome }: CheckedDatabase): Check {
  const checkName = `database ${JSON.stringify(name)}`
  if (outcome.ok) return ok(checkName, `${outcome.version} answered in ${outcome.durationMs} ms.`)
  const remedy =
    engine === 'duckdb'
      ? 'Restore its file, or delete the database under Databases.'
      : 'An admin can correct and test the connection under Databases.'
  return failed(checkName, outcome.message, remedy)
}

async function checkChannels(installation: Installation, { db }: Store, secretKey: Uint8Array): Promise<Check[]> {
  const { checkChannels } = await import('@querypost/server/connections')
  const { slackApiUrl } = installation.config
  const checked = await checkChannels({ ...installation, db, secretKey, slackApiUrl })
  return checked.length === 0 ? [skipped('channels', 'None configured.')] : checked.map(judgeChannel)
}

export function judgeChannel({ name, state }: CheckedChannel): Check {
  const checkName = `channel ${JSON.stringify(name)}`
  const remedy = 'An admin can correct it under Settings, Channels.'
  switch (state.kind) {
    case 'works':
      return ok(checkName, 'Slack accepts its token. Nothing was sent.')
    case 'not_asked':
      if (state.failureCount === 0) return ok(checkName, 'Enabled. Its receiver can only be checked with a test message.')
      return warning(checkName, `The last ${state.failureCount} deliveries in a row failed.`, remedy)
    case 'disabled':
      return warning(checkName, `Disabled${state.reason === null ? '' : `: ${state.reason}`}`, remedy)
    case 'secret_unreadable':
      return failed(checkName, 'Its secret can’t be decrypted: SECRET_KEY is not the key it was saved with.', 'Use the former SECRET_KEY.')
    case 'refused':
      return failed(checkName, state.detail, remedy)
  }
}
