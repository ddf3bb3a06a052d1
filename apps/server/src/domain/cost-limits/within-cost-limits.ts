import type { AnalyticalDatabase, Dialect } from '../../model/database.ts'
import { findDatabase } from '../../store/databases/databases-table.ts'
import type { Db, Tx } from '../../store/db.ts'
import { addCostUsage, lockCostLimits, readCostLimits, readCostUsage } from '../../store/cost-limits/cost-usage.ts'
import { databaseOfQuery } from '../../store/queries/queries-table.ts'
import { isNumberTaken, type NewRun } from '../../store/runs/runs-table.ts'
import { Refusal } from '../refusal.ts'
import { canEstimate, estimateBytes, type EstimateDeps } from './estimate-bytes.ts'
import { describeExceededLimit, type ExceededLimit, findExceededLimit } from './exceeded-limit.ts'

export interface CostLimitDeps extends EstimateDeps {
  db: Db
}

/** On whose behalf bytes are read. */
export interface CountedPerson {
  organizationId: string
  /** A user, or the public link or embed secret that a viewer came by. */
  personId: string
}

/**
 * Records a run and counts its estimate in one transaction, or throws `cost_limit_exceeded`. All runs begin here, so that no process
 * and no kind of work passes the limits by.
 */
export async function recordWithinCostLimits<Result>(
  deps: CostLimitDeps,
  { dialect, personId }: { dialect: Dialect; personId: string },
  run: NewRun,
  record: (db: Db | Tx) => Promise<Result>,
): Promise<Result> {
  const { organizationId } = run
  if (!canEstimate(dialect) || !(await readCostLimits(deps.db, organizationId))) return record(deps.db)
  const bytes = await estimateRun(deps, run)
  if (bytes === undefined) return record(deps.db)
  for (;;) {
    try {
      return await deps.db.transaction().execute(async (tx) => {
        await requireRoom(tx, { organizationId, personId, bytes })
        const recorded = await record(tx)
        await addCostUsage(tx, { organizationId, personId, bytes, runId: run.id })
        return recorded
      })
    } catch (error) {
      // A concurrent run of the query ended and took the number. The next attempt takes the one after.
      if (!isNumberTaken(error)) throw error
    }
  }
}

/** Counts a statement that is about to be executed without a run, or throws `cost_limit_exceeded`. */
export async function countStatement(
  deps: CostLimitDeps,
  { organizationId, personId }: CountedPerson,
  database: AnalyticalDatabase,
  sql: string,
): Promise<void> {
  if (!canEstimate(database.engine) || !(await readCostLimits(deps.db, organizationId))) return
  const bytes = await estimateBytes(deps, database, sql)
  if (bytes === undefined) return
  await deps.db.transaction().execute(async (tx) => {
    await requireRoom(tx, { organizationId, personId, bytes })
    await addCostUsage(tx, { organizationId, personId, bytes })
  })
}

async function estimateRun(deps: CostLimitDeps, { organizationId, queryId, renderedSql }: NewRun): Promise<number | undefined> {
  const configId = await databaseOfQuery(deps.db, { organizationId, queryId })
  const database = configId === undefined ? undefined : await findDatabase(deps.db, { organizationId, configId })
  return database && estimateBytes(deps, database, renderedSql)
}

async function requireRoom(tx: Tx, { bytes, ...person }: CountedPerson & { bytes: number }): Promise<void> {
  const limits = await lockCostLimits(tx, person.organizationId)
  if (!limits) return
  const exceeded = findExceededLimit({ limits, usage: await readCostUsage(tx, person), estimatedBytes: bytes })
  if (exceeded) throw costLimitExceeded(exceeded)
}

function costLimitExceeded(exceeded: ExceededLimit): Refusal {
  const { estimatedBytes, limitBytes } = exceeded
  return new Refusal('cost_limit_exceeded', describeExceededLimit(exceeded), undefined, { figures: { estimatedBytes, limitBytes } })
}
