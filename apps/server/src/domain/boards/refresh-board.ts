import type { TileResult } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import type { ParameterValues } from '../../model/parameter.ts'
import type { Db } from '../../store/db.ts'
import { countWaitingRuns } from '../../store/runs/waiting-runs.ts'
import { newId } from '../ids.ts'
import { badInput } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import type { InputsDeps } from '../saved-queries/choose-inputs.ts'
import { startRunOrWait } from '../saved-queries/start-with-inputs.ts'
import { type BoardResultsDeps, type PlannedRun, planTiles, resultsOf } from './board-results.ts'
import { getBoard } from './boards.ts'

export type RefreshDeps = BoardResultsDeps & InputsDeps

/** Of an organization. More would only make everyone wait. */
const waitingMax = 1_000

/**
 * Runs the queries of a board's tiles. Tiles with the same query and values share one run. A query that is being run with the same
 * values is not run again; one that is being run with other values is run after that.
 */
export async function refreshBoard(
  deps: RefreshDeps,
  caller: Caller,
  input: { shortId: string; parameters?: ParameterValues; tileIds?: string[]; onlyMissing?: boolean },
): Promise<TileResult[]> {
  const board = await getBoard(deps, caller, input.shortId)
  await refuseLongQueue(deps, caller)
  const tiles = await planTiles(deps, caller, board, input.parameters ?? {})
  input.tileIds?.forEach((id, at) => {
    if (!tiles.some(({ tile }) => tile.id === id)) {
      throw badInput(`/tileIds/${at}`, `is not a tile of the board that shows a query: ${JSON.stringify(id)}`)
    }
  })
  const states = input.onlyMissing ? await resultsOf(deps, caller, tiles) : []
  const ready = new Set(states.flatMap(({ tileId, status }) => (status === 'ready' ? tileId : [])))
  const chosen = tiles.filter(({ tile }) => !ready.has(tile.id) && (input.tileIds?.includes(tile.id) ?? true))
  const runs = new Map(
    chosen.flatMap(({ run }) =>
      'queryId' in run && !run.isDatabaseDeleted ? [[JSON.stringify([run.queryId, run.renderedSql]), run] as const] : [],
    ),
  )
  const planned = Array.from(runs.values(), (run) => ({ ...run, id: newId(deps.random, 'run') }))
  await startAll(deps, { ...caller, personId: caller.userId }, planned)
  return resultsOf(deps, caller, tiles)
}

/**
 * Starts the runs, or lets each wait for the run that its query has. One that exceeds a cost limit doesn't keep the others from starting;
 * its refusal is thrown when they have.
 */
export async function startAll(
  deps: InputsDeps,
  requester: Pick<Caller, 'organizationId' | 'triggerId'> & { personId: string },
  runs: (PlannedRun & { id: string })[],
): Promise<void> {
  let exceeded: Refusal | undefined
  for (const run of runs) {
    try {
      await startOrWait(deps, requester, run)
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'cost_limit_exceeded')) throw error
      exceeded ??= error
    }
  }
  if (exceeded) throw exceeded
}

async function startOrWait(
  deps: InputsDeps,
  { organizationId, triggerId, personId }: Pick<Caller, 'organizationId' | 'triggerId'> & { personId: string },
  { isDatabaseDeleted: _, sql, dialect, readsSavedQueries, ...run }: PlannedRun & { id: string },
): Promise<void> {
  const query = { sql, dialect, readsSavedQueries, personId }
  await startRunOrWait(deps, query, { ...run, organizationId, triggerId, runAt: deps.clock.now() })
}

export async function refuseLongQueue(deps: { db: Db }, { organizationId }: Pick<Caller, 'organizationId'>): Promise<void> {
  const count = await countWaitingRuns(deps.db, organizationId)
  if (count < waitingMax) return
  throw new Refusal('too_many_requests', `Your organization has ${count} runs waiting, the maximum. Try again when some have ended.`)
}
