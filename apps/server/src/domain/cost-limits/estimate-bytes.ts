import { EngineError } from '../../engines/engine.ts'
import { definitionOf } from '../../engines/registry/definitions.ts'
import type { AnalyticalDatabase } from '../../model/database.ts'
import { abortAfter, type Clock } from '../../ports/clock.ts'
import type { Engines } from '../databases/engines.ts'
import { answerWithinMs } from '../databases/try-database.ts'
import { Refusal } from '../refusal.ts'

export interface EstimateDeps {
  clock: Clock
  engines: Engines
}

export const canEstimate = (engine: string) => definitionOf(engine).estimatesBytes === true

/**
 * The bytes that a statement would read. Undefined if the engine has no estimate, or rejects the statement: running it then fails in the
 * same way, and reads nothing. Throws `database_unreachable` if nobody can tell.
 */
export async function estimateBytes(deps: EstimateDeps, database: AnalyticalDatabase, sql: string): Promise<number | undefined> {
  if (!canEstimate(database.engine)) return undefined
  const limit = abortAfter(deps.clock, answerWithinMs)
  try {
    return await deps.engines.engineOf(database).estimate!(sql, limit.signal)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (error.kind === 'failed' || error.kind === 'refused') return undefined
    const message = limit.signal.aborted ? `The database did not respond within ${answerWithinMs / 1000} seconds.` : error.message
    throw new Refusal('database_unreachable', message)
  } finally {
    limit.cancel()
  }
}
