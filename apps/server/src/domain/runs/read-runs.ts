import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import type { FindMember } from '../../store/people/find-member.ts'
import type { FindQuery } from '../../store/queries/queries-table.ts'
import { listReferencesOfQuery, type ReferenceLink } from '../../store/references/references-of-query.ts'
import { requestStop } from '../../store/runs/run-leases.ts'
import { readRunInputs } from '../../store/runs/run-inputs.ts'
import { readTriggers, type Trigger } from '../../store/runs/read-triggers.ts'
import { findRun, listRunsOfQuery } from '../../store/runs/runs-table.ts'
import { isId } from '../ids.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { readListPage, withKeys } from '../pagination/list-page.ts'
import { whoAmI } from '../people/organizations.ts'
import type { Caller } from '../../model/caller.ts'
import { getStoredQuery } from '../queries/queries.ts'
import { Refusal } from '../refusal.ts'
import type { Run, RunInputInFull } from '../../model/run.ts'
import { type RunEndDeps, stopPendingRun } from './publish-run-end.ts'

export interface RunsDeps {
  db: Db
  clock: Clock
  findQuery: FindQuery
  findMember: FindMember
}

export async function getRun(deps: Pick<RunsDeps, 'db'>, caller: Caller, runId: string): Promise<Run> {
  const run = isId(runId) ? await findRun(deps.db, { organizationId: caller.organizationId, runId }) : undefined
  if (!run) throw new Refusal('run_not_found', `There is no run ${JSON.stringify(runId)}. Old runs are removed.`)
  return run
}

export interface RunInFull extends Run {
  triggeredBy: Trigger
  /** The references that point to the run's query, without deleted ones. */
  references: ReferenceLink[]
  /** The results that it reads with `ref(…)`. */
  inputs: RunInputInFull[]
}

/** A run with the related objects that its page links to. */
export async function getRunInFull(deps: Pick<RunsDeps, 'db'>, caller: Caller, runId: string): Promise<RunInFull> {
  return withContext(deps, caller, await getRun(deps, caller, runId))
}

export async function withContext(
  deps: Pick<RunsDeps, 'db'>,
  { organizationId }: Caller,
  run: Run,
): Promise<RunInFull> {
  const [triggers, references, inputs] = await Promise.all([
    readTriggers(deps.db, { organizationId, triggerIds: [run.triggerId] }),
    listReferencesOfQuery(deps.db, { organizationId, queryId: run.queryId }),
    readRunInputs(deps.db, { organizationId, runId: run.id }),
  ])
  return { ...run, triggeredBy: triggers(run.triggerId), references, inputs }
}

export interface ListedRun extends Run {
  triggeredBy: Trigger
}

/** The query's history, newest first. */
export async function listRuns(
  deps: Pick<RunsDeps, 'db' | 'clock' | 'findQuery'> & { listCursors: ListCursorCodec },
  caller: Caller,
  request: PageRequest & { queryId: string },
): Promise<Page<ListedRun>> {
  const { organizationId } = caller
  const query = await getStoredQuery(deps, caller, request.queryId)
  const page = await readListPage(deps, {
    place: { organizationId, list: `runs of ${query.id}` },
    request,
    async read({ count, after }) {
      const before = after && { beforeNumber: Number(after.id) }
      const runs = await listRunsOfQuery(deps.db, { organizationId, queryId: query.id, count, ...before })
      return { rows: withKeys(runs, ({ runAt, number }) => ({ createdAt: runAt.toISOString(), id: String(number) })) }
    },
  })
  const triggerIds = page.items.map(({ triggerId }) => triggerId)
  const triggers = await readTriggers(deps.db, { organizationId, triggerIds })
  return { ...page, items: page.items.map((run) => Object.assign(run, { triggeredBy: triggers(run.triggerId) })) }
}

/**
 * Stops a run. A pending one fails at once; a running one is stopped at the engine by the worker that holds it, so the run
 * returned here may still be running.
 */
export async function stopRun(deps: RunsDeps & RunEndDeps, caller: Caller, runId: string): Promise<RunInFull> {
  const run = await getRun(deps, caller, runId)
  if (isEnded(run)) throw alreadyEnded(run)
  const { user } = await whoAmI(deps, caller)
  const reason = `Stopped by ${user.name} before it started.`
  const wasPending = await stopPendingRun(deps, { runId, reason, stoppedBy: user.id })
  if (!wasPending) await requestStop(deps.db, { runId, userId: caller.userId })
  return getRunInFull(deps, caller, runId)
}

const alreadyEnded = (run: Run) =>
  new Refusal('run_already_ended', `The run has already ${run.status}. There is nothing to stop.`)

export const isEnded = (run: Pick<Run, 'status'>) => run.status === 'completed' || run.status === 'failed'
