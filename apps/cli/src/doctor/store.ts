import { existsSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { MigrationFacts, Store } from '@querypost/server/store'
import type { TriedDatabase } from '@querypost/server/engines'
import { type Check, failed, ok, skipped, warning } from '../check.ts'
import { judgeClockDifference } from './clocks.ts'
import type { Examination, Installation } from './examine.ts'
import { inBytes, sizeOf } from './usage.ts'

/** Of the embedded store a copy is opened; a larger one is not worth the wait. */
const copyMaxBytes = 2 * 2 ** 30

/**
 * The service's own state, and the databases that are configured in it. The embedded store has one owner and writes
 * as it is opened, so it is looked at in a copy, and only while no service has it; one that has it is asked for its
 * readiness instead.
 */
export const store: Examination = {
  name: 'store',
  async look(installation) {
    const { config } = installation
    return config.databaseUrl === null ? lookAtEmbedded(installation) : lookAtServer(installation, config.databaseUrl)
  },
}

async function lookAtEmbedded(installation: Installation): Promise<Check[]> {
  const { config, ownerId, workFolder } = installation
  const folder = path.join(config.dataDirectory, 'store')
  if (!existsSync(folder)) return [ok('store', 'Embedded; the first start makes it.')]
  if (ownerId !== undefined) {
    return [
      skipped(
        'store',
        `Embedded, and in use by process ${ownerId}: only the running service can look into it. See readiness.`,
      ),
    ]
  }
  if (!existsSync(path.join(folder, 'PG_VERSION'))) {
    const remedy = 'Restore a backup (querypost restore), or move the folder away to begin anew.'
    return [failed('store', `${folder} is there and holds no store.`, remedy)]
  }
  const sizeBytes = await sizeOf(folder)
  if (sizeBytes > copyMaxBytes)
    return [skipped('store', `Embedded, ${inBytes(sizeBytes)}: too large to look at in a copy.`)]
  const { openEmbedded } = await import('@querypost/server/store')
  const copy = path.join(workFolder, 'store')
  try {
    await cp(folder, copy, { recursive: true })
    const opened = await openEmbedded({ folder: copy })
    return await withStore(opened, () => inspect(installation, opened, { kind: 'Embedded', isHere: true }))
  } catch (error) {
    installation.signal.throwIfAborted()
    const remedy =
      'Restore a backup (querypost restore). The copy that was tried is removed; the folder itself was not touched.'
    return [failed('store', `It cannot be opened: ${(error as Error).message}`, remedy)]
  }
}

async function lookAtServer(installation: Installation, url: string): Promise<Check[]> {
  const { openPostgres } = await import('@querypost/server/store')
  const { openLog } = await import('@querypost/server/log')
  let opened: Store
  try {
    opened = await openPostgres({ url, maxConnections: 2, clock: installation.clock, log: openLog({ level: 'silent' }) })
  } catch (error) {
    const { host, pathname } = new URL(url)
    const all = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error]
    const why = all.map(({ message }) => message).join('; ')
    return [
      failed(
        'store',
        `PostgreSQL at ${host}${pathname} cannot be used: ${why}`,
        'Is it running, and is DATABASE_URL right?',
      ),
    ]
  }
  return withStore(opened, () =>
    inspect(installation, opened, { kind: `PostgreSQL at ${new URL(url).host}`, isHere: false }),
  )
}

async function withStore(opened: Store, look: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await look()
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
  // The embedded one has the clock of this machine.
  if (!isHere)
    checks.push(judgeClockDifference('store’s clock', { who: 'PostgreSQL', aheadMs: clockAheadMs, toleratedMs: 1000 }))
  if (migrations.appliedCount === 0) return checks
  return [...checks, ...(await lookAtDatabases(installation, opened))]
}

export function judgeMigrations(facts: MigrationFacts): Check {
  const { appliedCount, pending, unknown, changed, tooNew } = facts
  if (tooNew !== null) return failed('migrations', tooNew, 'See docs/migrations.md.')
  if (changed.length > 0) {
    const what = `${changed.join(', ')} was changed after it had been applied.`
    return failed('migrations', what, 'Install the version as it was published.')
  }
  if (unknown.length > 0) {
    const what = `${unknown.join(', ')} was applied by a newer version; this one goes on without.`
    return warning('migrations', what, 'Finish the upgrade: start the newer version everywhere.')
  }
  if (appliedCount === 0) return ok('migrations', 'None applied: no service has started on it yet.')
  if (pending.length > 0)
    return ok('migrations', `${appliedCount} applied; the next start applies ${pending.join(', ')}.`)
  return ok('migrations', `All ${appliedCount} are applied.`)
}

async function lookAtDatabases({ config, clock, workFolder }: Installation, opened: Store): Promise<Check[]> {
  const secretKey =
    config.secretKey ?? (await readFile(path.join(config.dataDirectory, 'secret.key'), 'utf8').catch(() => undefined))
  if (secretKey === undefined) {
    const what =
      'There is a store, and no key to open its secrets: neither SECRET_KEY nor secret.key in the data directory.'
    return [
      failed(
        'databases',
        what,
        'Bring back the key; a backup holds it. Without it passwords and webhook secrets are lost.',
      ),
    ]
  }
  const { tryDatabases } = await import('@querypost/server/engines')
  const { openLog } = await import('@querypost/server/log')
  const tried = await tryDatabases({
    store: opened,
    config,
    secretKey: config.secretKey === null ? Buffer.from(secretKey, 'base64') : Buffer.from(secretKey),
    temporaryDirectory: path.join(workFolder, 'temporary'),
    clock,
    log: openLog({ level: 'silent' }),
  })
  return tried.length === 0 ? [skipped('databases', 'None is configured.')] : tried.map(judgeDatabase)
}

export function judgeDatabase({ name, engine, outcome }: TriedDatabase): Check {
  const what = `database ${JSON.stringify(name)}`
  if (outcome.ok) return ok(what, `${outcome.version} answered in ${outcome.durationMs} ms.`)
  const remedy =
    engine === 'duckdb'
      ? 'Bring its file back, or delete it under Databases.'
      : 'An admin corrects it under Databases, where it can be tried.'
  return failed(what, outcome.message, remedy)
}
