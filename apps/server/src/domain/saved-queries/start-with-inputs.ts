import type { Dialect } from '../../model/database.ts'
import type { Run } from '../../model/run.ts'
import { insertRunWithInputs, letRunWithInputsWait } from '../../store/runs/run-inputs.ts'
import { insertRun, type NewRun } from '../../store/runs/runs-table.ts'
import { letRunWait } from '../../store/runs/waiting-runs.ts'
import { recordWithinCostLimits } from '../cost-limits/within-cost-limits.ts'
import { chooseInputs, findUnchangedRun, type InputsDeps } from './choose-inputs.ts'

/** A query that is about to run. */
export interface StartedQuery {
  sql: string
  dialect: Dialect
  readsSavedQueries: boolean
  /** For whom it counts; see `CountedPerson`. */
  personId: string
}

/**
 * Starts a run. If the query reads saved queries, their results are chosen now; if neither they nor the SQL have changed since an earlier
 * run, that run is returned. Undefined if the query has an unfinished run.
 */
export async function startRun(deps: InputsDeps, query: StartedQuery, run: NewRun): Promise<Run | undefined> {
  if (!query.readsSavedQueries) return recordWithinCostLimits(deps, query, run, (db) => insertRun(db, run))
  const inputs = await chooseInputs(deps, { ...run, ...query }, { sql: query.sql, renderedSql: run.renderedSql })
  return (await findUnchangedRun(deps, run, run, inputs)) ?? insertRunWithInputs(deps.db, run, inputs)
}

/** Starts a run, or lets it wait for the run that its query has. An unfinished run with the same SQL serves for this one. */
export async function startRunOrWait(deps: InputsDeps, query: StartedQuery, run: NewRun): Promise<void> {
  // The run in the way may end between the two statements; then the first one succeeds the next time.
  if (!query.readsSavedQueries) {
    await recordWithinCostLimits(deps, query, run, async (db) => {
      while (!(await insertRun(db, run)) && !(await letRunWait(db, run)));
    })
    return
  }
  const inputs = await chooseInputs(deps, { ...run, ...query }, { sql: query.sql, renderedSql: run.renderedSql })
  if (await findUnchangedRun(deps, run, run, inputs)) return
  while (!(await insertRunWithInputs(deps.db, run, inputs)) && !(await letRunWithInputsWait(deps.db, run, inputs)));
}
