import { EngineError } from '../../engines/engine.ts'
import { abortAfter, type Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { noteDatabase } from '../../store/databases/databases.ts'
import { type Caller, requireAdmin } from '../people/caller.ts'
import type { LastTest, NewDatabase, TestOutcome } from './database.ts'
import type { Engines } from './engines.ts'
import { wantDatabase } from './want-database.ts'

export interface TryDeps {
  db: Db
  clock: Clock
  engines: Engines
}

/** How long a database may take to answer when somebody waits for it. */
export const answerWithinMs = 15_000

/** Opens a database in a process of its own and says what came of it. Nothing is stored. */
export async function tryDatabase(
  deps: Pick<TryDeps, 'clock' | 'engines'>,
  database: NewDatabase,
): Promise<{ outcome: TestOutcome; tableCount?: number }> {
  const engine = deps.engines.openApart(database)
  const limit = abortAfter(deps.clock, answerWithinMs)
  const startedMs = deps.clock.monotonicMs()
  try {
    const { version } = await engine.test(limit.signal)
    const durationMs = Math.round(deps.clock.monotonicMs() - startedMs)
    const tableCount = (await engine.describe(limit.signal)).length
    return { outcome: { ok: true, durationMs, version }, tableCount }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const message = limit.signal.aborted ? `It did not answer within ${answerWithinMs / 1000} seconds.` : error.message
    return { outcome: { ok: false, message } }
  } finally {
    limit.cancel()
    await engine.close()
  }
}

/** Tries a stored database out, and keeps what came of it for its page. */
export async function testDatabase(deps: TryDeps, caller: Caller, configId: string): Promise<TestOutcome> {
  requireAdmin(caller)
  const database = await wantDatabase(deps, caller, configId)
  const { outcome, tableCount } = await tryDatabase(deps, database)
  await noteTest(deps, database, { outcome, ...(tableCount !== undefined && { tableCount }) })
  return outcome
}

export async function noteTest(
  deps: Pick<TryDeps, 'db' | 'clock'>,
  { organizationId, id }: NewDatabase,
  { outcome, tableCount }: { outcome: TestOutcome; tableCount?: number },
): Promise<LastTest> {
  const lastTest = { ...outcome, testedAt: deps.clock.now().toISOString() }
  const known = { lastTest, ...(tableCount !== undefined && { tableCount }) }
  await noteDatabase(deps.db, { organizationId, configId: id }, known)
  return lastTest
}
