/**
 * Databases on servers, as configured by admins. Settings are tested before they are stored, both when a database is added and when
 * it is changed.
 */
import type { Random } from '../../ports/random.ts'
import { reconfigureDatabase, renameDatabase as storeName } from '../../store/databases/databases-table.ts'
import { changesOf } from '../audit/changes.ts'
import { recordChange } from '../audit/record-action.ts'
import { newId } from '../ids.ts'
import { badInput } from '../people/check-text.ts'
import { requireDatabaseManagement } from '../access/require-access.ts'
import { requireAdmin } from '../access/require-admin.ts'
import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'
import type { Throttle } from '../throttle.ts'
import { storeDatabase } from './add-database.ts'
import type { AnalyticalDatabase, EngineKind, ServerDatabase, TestOutcome } from '../../model/database.ts'
import { isOnServer } from './is-on-server.ts'
import { keepPassword, sealPassword } from './database-password.ts'
import type { DatabasesDeps } from './databases.ts'
import { checkPassword, checkServerSettings } from './server-settings.ts'
import { testFailed, noteTest, tryDatabase } from './try-database.ts'
import { nameTaken, noDatabase, getDatabaseConfig } from './get-database-config.ts'

export interface ServerDatabasesDeps extends DatabasesDeps {
  random: Random
  sealer: Sealer
  connectionThrottle: Throttle
}

export interface GivenConnection {
  engine: EngineKind
  settings: unknown
  password?: string | null | undefined
}

export interface DatabaseChange {
  configId: string
  name?: string | undefined
  settings?: unknown
  /** Omitted: the stored one is kept if allowed. Null: no password. */
  password?: string | null | undefined
}

export async function addServerDatabase(
  deps: ServerDatabasesDeps,
  caller: Caller,
  given: GivenConnection & { name: string },
): Promise<AnalyticalDatabase> {
  requireAdmin(caller)
  const configured = newlyConfigured(deps, caller, given)
  const tried = await tryConfigured(deps, caller, configured)
  if (!tried.outcome.ok) throw testFailed(tried.outcome)
  const database = { ...configured, name: given.name, createdBy: caller.userId, createdAt: deps.clock.now() }
  await storeDatabase(deps, caller, database)
  return { ...database, tableCount: tried.tableCount, lastTest: await noteTest(deps, database, tried) }
}

/** Changes the name, settings or password; omitted fields stay. Active runs finish with the old configuration. */
export async function changeDatabase(
  deps: ServerDatabasesDeps,
  caller: Caller,
  change: DatabaseChange,
): Promise<AnalyticalDatabase> {
  requireDatabaseManagement(caller, change.configId)
  const { configId, name } = change
  const key = { organizationId: caller.organizationId, configId }
  const before = await getDatabaseConfig(deps, caller, configId)
  const isReconfigured = change.settings !== undefined || change.password !== undefined
  const changed = isReconfigured ? reconfigured(deps, before, change) : undefined
  const tried = changed && (await tryConfigured(deps, caller, changed))
  if (tried && !tried.outcome.ok) throw testFailed(tried.outcome)
  await deps.db.transaction().execute(async (tx) => {
    if (changed && !(await reconfigureDatabase(tx, key, changed))) throw changedConcurrently()
    const outcome = name === undefined ? 'renamed' : await storeName(tx, key, name)
    if (outcome === 'taken') throw nameTaken(name!)
    if (outcome === 'missing') throw noDatabase(configId)
    await recordChange({ ...deps, tx }, caller, {
      action: 'database.changed',
      subject: { type: 'database', id: configId, name: before.name },
      details: { changes: recordedChanges(before, { name, changed, password: change.password }) },
    })
  })
  if (tried) await noteTest(deps, before, tried)
  if (changed) deps.engines.retire(configId, { before: changed.revision + 1 })
  return getDatabaseConfig(deps, caller, configId)
}

/** Tests settings that are not stored yet, for someone who is still editing them. Nothing is kept. */
export async function tryConnection(
  deps: ServerDatabasesDeps,
  caller: Caller,
  given: GivenConnection,
): Promise<TestOutcome & { tableCount: number | null }> {
  requireAdmin(caller)
  const { outcome, tableCount } = await tryConfigured(deps, caller, newlyConfigured(deps, caller, given))
  return { ...outcome, tableCount }
}

/** The same for a change to a stored database, using its stored password if allowed. */
export async function tryChange(
  deps: ServerDatabasesDeps,
  caller: Caller,
  change: Omit<DatabaseChange, 'name'>,
): Promise<TestOutcome & { tableCount: number | null }> {
  requireDatabaseManagement(caller, change.configId)
  const changed = reconfigured(deps, await getDatabaseConfig(deps, caller, change.configId), change)
  const { outcome, tableCount } = await tryConfigured(deps, caller, changed)
  return { ...outcome, tableCount }
}

type Configured = Pick<
  ServerDatabase,
  'id' | 'organizationId' | 'engine' | 'settings' | 'sealedPassword' | 'revision'
>

function newlyConfigured(deps: ServerDatabasesDeps, caller: Caller, given: GivenConnection): Configured {
  const { engine } = given
  const settings = checkServerSettings(engine, given.settings)
  const of = { id: newId(deps.random, 'db'), organizationId: caller.organizationId, engine, settings }
  return { ...of, revision: 1, sealedPassword: sealPassword(deps.sealer, of, checkPassword(given.password ?? null)) }
}

function reconfigured(deps: ServerDatabasesDeps, before: AnalyticalDatabase, change: DatabaseChange): Configured {
  if (!isOnServer(before)) {
    throw badInput('/settings', 'of a database in a file cannot be changed; add another database for another file')
  }
  const { id, organizationId, engine, revision } = before
  const settings = change.settings === undefined ? before.settings : checkServerSettings(engine, change.settings)
  const sealedPassword =
    change.password === undefined
      ? keepPassword(deps.sealer, before, settings)
      : sealPassword(deps.sealer, { ...before, settings }, checkPassword(change.password))
  return { id, organizationId, engine, settings, sealedPassword, revision }
}

/** Lists each setting by name. For a password it records only that it changed. */
function recordedChanges(
  before: AnalyticalDatabase,
  to: { name: string | undefined; changed: Configured | undefined; password: string | null | undefined },
) {
  const { name, changed, password } = to
  const given = password === null ? 'none' : 'another one'
  return {
    ...changesOf(before, { name }),
    ...(changed && changesOf(before.settings, { ...absent(before.settings), ...changed.settings })),
    ...(password !== undefined && { password: { before: 'not shown', after: given } }),
  }
}

/** Makes omitted settings count as changed too. */
const absent = (settings: object) => Object.fromEntries(Object.keys(settings).map((key) => [key, null]))

function tryConfigured(deps: ServerDatabasesDeps, caller: Caller, configured: Configured) {
  deps.connectionThrottle.take(caller.userId)
  return tryDatabase(deps, configured)
}

const changedConcurrently = () =>
  new Refusal(
    'database_in_use',
    'Someone else has changed this database in the meantime. Review its settings, then save yours again.',
  )
