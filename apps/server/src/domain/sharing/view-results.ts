import type { TileResult } from '../../model/board.ts'
import type { ParameterValues } from '../../model/parameter.ts'
import type { Run } from '../../model/run.ts'
import type { Viewer, ViewerDownload } from '../../model/sharing/public-link.ts'
import type { ResultStore } from '../../results/result-store.ts'
import { findRun } from '../../store/runs/runs-table.ts'
import { chargeViewerRuns } from '../../store/sharing/viewer-runs.ts'
import { type BoardResultsDeps, type PlannedTile, planTiles, resultsOf } from '../boards/board-results.ts'
import { refuseLongQueue, startAll } from '../boards/refresh-board.ts'
import { newId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import { type CachedResult, cachedResultOf } from '../results/results.ts'
import type { InputsDeps } from '../saved-queries/choose-inputs.ts'
import { readViewedItem, type SharedItemDeps, type ViewedItem } from './shared-item.ts'
import { valuesForViewer } from './viewer-values.ts'

export interface ViewResultsDeps extends BoardResultsDeps, InputsDeps, SharedItemDeps {
  results: ResultStore
}

/** A result that is newer than this is not refreshed by viewers. */
const freshMs = 60_000

/** Which stored results a viewer sees with some values. Starts nothing. */
export async function readViewResults(deps: ViewResultsDeps, viewer: Viewer, given: ParameterValues): Promise<TileResult[]> {
  const item = await readViewedItem(deps, viewer)
  return resultsOf(deps, viewer, await plan(deps, viewer, item, given))
}

const plan = (deps: ViewResultsDeps, viewer: Viewer, item: ViewedItem, given: ParameterValues): Promise<PlannedTile[]> =>
  planTiles(deps, viewer, item, valuesForViewer(item.parameters, viewer, given))

export interface ViewedResult {
  title: string
  item: ViewedItem
  tile: PlannedTile['tile']
  run: Run
  result: CachedResult
}

/** The stored result of one tile. The viewer names no run: it follows from the tile and the values. */
export async function openViewedResult(
  deps: ViewResultsDeps,
  viewer: Viewer,
  { tileId, parameters }: { tileId: string; parameters: ParameterValues },
): Promise<ViewedResult> {
  const item = await readViewedItem(deps, viewer)
  const tile = item.tiles.find(({ id, kind }) => id === tileId && kind === 'reference')
  if (!tile) throw noResult()
  const planned = await plan(deps, viewer, { ...item, tiles: [tile] }, parameters)
  const [state] = await resultsOf(deps, viewer, planned)
  const run = state!.runId === null ? undefined : await findRun(deps.db, { organizationId: viewer.organizationId, runId: state!.runId })
  if (!run) throw noResult()
  const title = tile.title || item.queries.get(tile.referenceShortId!)?.title || item.title
  return { title, item, tile, run, result: cachedResultOf(deps, run) }
}

export function requireDownload({ downloads }: Viewer, format: ViewerDownload): void {
  if (!downloads.includes(format)) throw new Refusal('forbidden', `Results cannot be downloaded as ${format.toUpperCase()} here.`)
}

const noResult = () => new Refusal('result_not_available', 'There is no stored result for these values.')

/** Runs the tiles whose result is missing or not fresh, within the limits of the link. */
export async function refreshForViewer(
  deps: ViewResultsDeps,
  viewer: Viewer,
  { parameters = {}, onlyMissing = false }: { parameters?: ParameterValues; onlyMissing?: boolean },
): Promise<TileResult[]> {
  if (!viewer.allowsRefresh) throw new Refusal('forbidden', 'Results cannot be refreshed here.')
  const item = await readViewedItem(deps, viewer)
  const tiles = await plan(deps, viewer, item, parameters)
  await refuseLongQueue(deps, viewer)
  const now = deps.clock.now()
  const states = await resultsOf(deps, viewer, tiles)
  const wanted = tiles.filter((_, at) => needsRun(states[at]!, onlyMissing ? undefined : now))
  const runs = [
    ...new Map(
      wanted.flatMap(({ run }) =>
        'queryId' in run && !run.isDatabaseDeleted
          ? [[JSON.stringify([run.queryId, run.renderedSql]), { ...run, id: newId(deps.random, 'run') }] as const]
          : [],
      ),
    ).values(),
  ]
  if (runs.length === 0) return states
  const { id: viewerId, organizationId, runLimits: limits } = viewer
  if (!(await chargeViewerRuns(deps.db, { viewerId, runIds: runs.map(({ id }) => id), limits, now }))) {
    throw new Refusal('too_many_requests', 'These results have been refreshed too often. Try again later.', undefined, {
      retryAfterMs: 10 * 60_000,
    })
  }
  await startAll(deps, { organizationId, triggerId: viewerId, personId: viewerId }, runs)
  return resultsOf(deps, viewer, tiles)
}

/** Without `now`, only a missing result is made. A failed one is not, or each visit would run the query again. */
function needsRun({ status, completedAt }: TileResult, now: Date | undefined): boolean {
  if (now === undefined) return status === 'missing' || status === 'expired'
  return status !== 'running' && (completedAt === null || completedAt.getTime() < now.getTime() - freshMs)
}
