import { type Engine, EngineError } from '../../engines/engine.ts'
import type { ServerRefused } from '../../engines/server-options.ts'
import { abortAfter, type Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db, Tx } from '../../store/db.ts'
import { recordDatabaseFacts } from '../../store/databases/databases-table.ts'
import { auditValue } from '../audit/changes.ts'
import { recordAction } from '../audit/record-action.ts'
import { requireDatabaseManagement } from '../access/require-access.ts'
import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'
import type { ConfiguredDatabase, LastTest, TestOutcome } from '../../model/database.ts'
import type { Engines } from './engines.ts'
import { settingAtFault } from './setting-at-fault.ts'
import { getDatabaseConfig } from './get-database-config.ts'

export interface TryDeps {
  db: Db
  clock: Clock
  engines: Engines
}

/** How long a database may take to respond while someone is waiting. */
export const answerWithinMs = 15_000

export interface Tried {
  outcome: TestOutcome
  /** Null if it did not respond. */
  tableCount: number | null
}

/** Opens a database in a separate engine and reports the outcome. Stores nothing. */
export async function tryDatabase(
  deps: Pick<TryDeps, 'clock' | 'engines'>,
  database: ConfiguredDatabase,
): Promise<Tried> {
  let engine: Engine | undefined
  try {
    return await tryEngine(deps, database.engine, () => (engine = deps.engines.openSeparate(database)))
  } finally {
    await engine?.close()
  }
}

export async function tryEngine(
  deps: Pick<TryDeps, 'clock'>,
  kind: ConfiguredDatabase['engine'],
  open: () => Pick<Engine, 'test' | 'describe'>,
): Promise<Tried> {
  const limit = abortAfter(deps.clock, answerWithinMs)
  const startedMs = deps.clock.monotonicMs()
  try {
    const engine = open()
    const { version } = await engine.test(limit.signal)
    const durationMs = Math.round(deps.clock.monotonicMs() - startedMs)
    const tableCount = (await engine.describe(limit.signal)).length
    return { outcome: { ok: true, durationMs, version }, tableCount }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const isLate = limit.signal.aborted
    const message = isLate ? `The database did not respond within ${answerWithinMs / 1000} seconds.` : error.message
    const path = isLate ? undefined : settingAtFault(error, kind)
    return { outcome: { ok: false, message, ...(path !== undefined && { path }) }, tableCount: null }
  } finally {
    limit.cancel()
  }
}

/** Tests a stored database, and keeps the outcome for its page. */
export async function testDatabase(
  deps: TryDeps & { random: Random },
  caller: Caller,
  configId: string,
): Promise<TestOutcome> {
  requireDatabaseManagement(caller, configId)
  const database = await getDatabaseConfig(deps, caller, configId)
  const tried = await tryDatabase(deps, database)
  const { outcome } = tried
  await deps.db.transaction().execute(async (tx) => {
    await noteTest({ ...deps, db: tx }, database, tried)
    const subject = { type: 'database', id: configId, name: database.name } as const
    const details = outcome.ok ? { ok: true } : { ok: false, message: auditValue(outcome.message) }
    await recordAction({ ...deps, tx }, caller, { action: 'database.tested', subject, details })
  })
  return outcome
}

export async function noteTest(
  deps: { db: Db | Tx; clock: Clock },
  { organizationId, id }: Pick<ConfiguredDatabase, 'organizationId' | 'id'>,
  { outcome, tableCount }: Tried,
): Promise<LastTest> {
  const lastTest = { ...outcome, testedAt: deps.clock.now().toISOString() }
  const known = { lastTest, ...(tableCount !== null && { tableCount }) }
  await recordDatabaseFacts(deps.db, { organizationId, configId: id }, known)
  return lastTest
}

/** For the page of a database whose runs can no longer connect because the rules or the network have changed since it was added. */
export async function noteRefused(
  deps: { db: Db; clock: Clock },
  database: Pick<ConfiguredDatabase, 'organizationId' | 'id'>,
  { message, setting }: ServerRefused,
): Promise<void> {
  await noteTest(deps, database, { outcome: { ok: false, message, path: `/settings/${setting}` }, tableCount: null })
}

/** The error for storing a database that failed its test. */
export function testFailed({ message, path = '/settings' }: Extract<TestOutcome, { ok: false }>): Refusal {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`
  return new Refusal('invalid_request', `The database could not be opened: ${sentence}`, [{ path, message }])
}
