import type { Visualization } from '@querypost/visualization'
import type { Board, Tile, TileResult } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import type { Dialect } from '../../model/database.ts'
import type { ParameterValues } from '../../model/parameter.ts'
import type { Clock } from '../../ports/clock.ts'
import { readRunsOfTiles, type RunsOfTile } from '../../store/boards/read-runs-of-tiles.ts'
import { readTileQueries, type TileQuery } from '../../store/boards/read-tile-queries.ts'
import type { Db } from '../../store/db.ts'
import { readPlaceholders } from '../parameters/placeholder.ts'
import { type BoundSql, renderBoundSql } from '../row-rules/render-bound-sql.ts'
import { Refusal } from '../refusal.ts'
import { getBoard, shortIdsOf } from './boards.ts'
import { valuesOfBoard, valuesOfTile } from './tile-values.ts'

export interface BoardResultsDeps {
  db: Db
  clock: Clock
  resultLifetimeMs: number
}

export interface PlannedRun extends BoundSql {
  queryId: string
  /** Then the query can no longer be run, but stored results can be shown. */
  isDatabaseDeleted: boolean
  /** As written, with placeholders. */
  sql: string
  readsSavedQueries: boolean
  dialect: Dialect
}

/** A `reference` tile with the SQL that its values give, or why there is none. */
export interface PlannedTile {
  tile: Tile
  visualization: Visualization | null
  run: PlannedRun | { failureReason: string }
}

/** Which stored results a board shows with some values of its parameters. Starts nothing. */
export async function readBoardResults(
  deps: BoardResultsDeps,
  caller: Caller,
  input: { shortId: string; parameters?: ParameterValues },
): Promise<TileResult[]> {
  const board = await getBoard(deps, caller, input.shortId)
  return resultsOf(deps, caller, await planTiles(deps, caller, board, input.parameters ?? {}))
}

/** Renders the SQL of all `reference` tiles of a board. */
export async function planTiles(
  deps: Pick<BoardResultsDeps, 'db' | 'clock'>,
  { organizationId }: Pick<Caller, 'organizationId'>,
  board: Pick<Board, 'tiles' | 'parameters'>,
  given: ParameterValues,
): Promise<PlannedTile[]> {
  const boardValues = valuesOfBoard(board.parameters, given)
  const queries = await readTileQueries(deps.db, { organizationId, shortIds: shortIdsOf(board.tiles) })
  return board.tiles
    .filter(({ kind }) => kind === 'reference')
    .map((tile) => {
      const reference = queries.get(tile.referenceShortId!)
      return { tile, visualization: reference?.visualization ?? null, run: planRun(tile, reference, boardValues, deps.clock.now()) }
    })
}

function planRun(tile: Tile, reference: TileQuery | undefined, boardValues: ParameterValues, now: Date): PlannedTile['run'] {
  if (!reference) return { failureReason: 'The query of this tile was deleted.' }
  const { query, parameters: definitions, queryId, analyticalDatabaseConfigId } = reference
  if (!query) return { failureReason: 'This query has no SQL yet.' }
  const { sql, dialect, isDatabaseDeleted, readsSavedQueries } = query
  try {
    const names = new Set(definitions.map(({ name }) => name))
    for (const { placeholders } of readPlaceholders(sql, dialect)) for (const { name } of placeholders) names.add(name)
    const values = valuesOfTile(tile, boardValues, (name) => names.has(name))
    return { queryId, isDatabaseDeleted, sql, dialect, readsSavedQueries, ...renderBoundSql({ ...query, analyticalDatabaseConfigId: analyticalDatabaseConfigId! }, { definitions, values, now }) }
  } catch (error) {
    if (error instanceof Refusal) return { failureReason: error.message }
    throw error
  }
}

/** The state of each planned tile. All of them are read with one statement. */
export async function resultsOf(
  deps: BoardResultsDeps,
  { organizationId }: Pick<Caller, 'organizationId'>,
  tiles: PlannedTile[],
): Promise<TileResult[]> {
  const wanted = tiles.flatMap(({ run }) => ('queryId' in run ? run : []))
  const completedAfter = new Date(deps.clock.now().getTime() - deps.resultLifetimeMs)
  const found = wanted.length === 0 ? [] : await readRunsOfTiles(deps.db, { organizationId, wanted, completedAfter })
  const runs = new Map(wanted.map((run, at) => [run, found[at]!]))
  return tiles.map(({ tile, run }) => ({
    tileId: tile.id,
    ...('queryId' in run ? stateOf(runs.get(run)!, run) : { ...nothing, status: 'failed', failureReason: run.failureReason }),
  }))
}

const nothing = {
  runId: null,
  completedAt: null,
  failureReason: null,
  runningRunId: null,
  runningSince: null,
  progress: null,
  rowCountSoFar: null,
  isStopped: false,
} as const

/** A run that a person stopped says nothing about the query, so an earlier result counts. */
export function stateOf(
  { completed, failed, unfinished, isWaiting }: RunsOfTile,
  { isDatabaseDeleted }: Pick<PlannedRun, 'isDatabaseDeleted'>,
): Omit<TileResult, 'tileId'> {
  const shown = completed?.isStored ? { runId: completed.runId, completedAt: completed.completedAt } : {}
  if (unfinished) {
    const { runId: runningRunId, runAt: runningSince, progress, rowCountSoFar } = unfinished
    return { ...nothing, ...shown, status: 'running', runningRunId, runningSince, progress, rowCountSoFar }
  }
  if (isWaiting) return { ...nothing, ...shown, status: 'running' }
  const newestFailed = failed !== null && (completed === null || failed.number > completed.number) ? failed : null
  const isStopped = newestFailed?.isStopped ?? false
  if (newestFailed && (completed === null || !isStopped)) {
    return { ...nothing, ...shown, status: 'failed', failureReason: newestFailed.reason, isStopped }
  }
  if (isDatabaseDeleted && !completed?.isStored) {
    return { ...nothing, status: 'failed', failureReason: 'The database of this query was deleted, so it can no longer be run.' }
  }
  if (completed) return { ...nothing, ...shown, status: completed.isStored ? 'ready' : 'expired', isStopped }
  return { ...nothing, status: 'missing' }
}
