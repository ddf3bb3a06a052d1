import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import type { Wakeups } from '../../store/wakeups.ts'
import type { FindMember } from '../../store/people/find-member.ts'
import type { FindQuery } from '../../store/queries/queries.ts'
import { failPendingRun } from '../../store/runs/end-run.ts'
import { requestStop } from '../../store/runs/lease.ts'
import { findRun, listRunsOfQuery } from '../../store/runs/runs.ts'
import { isId } from '../ids.ts'
import { whoAmI } from '../people/organizations.ts'
import type { Caller } from '../people/caller.ts'
import { wantQuery } from '../queries/queries.ts'
import { Refusal } from '../refusal.ts'
import { isEnded, type Run } from './run.ts'

export interface RunsDeps {
  db: Db
  clock: Clock
  wakeups: Wakeups
  findQuery: FindQuery
  findMember: FindMember
}

export async function getRun(deps: Pick<RunsDeps, 'db'>, caller: Caller, runId: string): Promise<Run> {
  const run = isId(runId) ? await findRun(deps.db, { organizationId: caller.organizationId, runId }) : undefined
  if (!run) throw new Refusal('run_not_found', `There is no run ${JSON.stringify(runId)}.`)
  return run
}

/** The query's history, newest first. */
export async function listRuns(deps: RunsDeps, caller: Caller, queryId: string): Promise<Run[]> {
  const query = await wantQuery(deps, caller, queryId)
  return listRunsOfQuery(deps.db, { organizationId: caller.organizationId, queryId: query.id, count: 50 })
}

/**
 * Stops a run. A pending one fails at once; a running one is stopped at the engine by the worker that holds it, so the run
 * returned here may still be running.
 */
export async function stopRun(deps: RunsDeps, caller: Caller, runId: string): Promise<Run> {
  const run = await getRun(deps, caller, runId)
  if (isEnded(run)) throw alreadyEnded(run)
  const { user } = await whoAmI(deps, caller)
  const reason = `Stopped by ${user.name} before it started.`
  const wasPending = await failPendingRun(deps.db, { runId, reason, now: deps.clock.now() })
  if (wasPending) deps.wakeups.wake('run_ends')
  else if (await requestStop(deps.db, { runId, userId: caller.userId })) deps.wakeups.wake('run_stops')
  return getRun(deps, caller, runId)
}

const alreadyEnded = (run: Run) =>
  new Refusal('run_already_ended', `The run has already ended: it ${run.status}. There is nothing left to stop.`)
