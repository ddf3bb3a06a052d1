import { createHash } from 'node:crypto'
import type { Board, Tile, TileResult } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import type { ParameterValues } from '../../model/parameter.ts'
import type { ResultStore } from '../../results/result-store.ts'
import { RowTooLarge } from '../../results/row-splitter.ts'
import { findBoardImage } from '../../store/boards/board-images-table.ts'
import { readTileQueries, type TileQuery } from '../../store/boards/read-tile-queries.ts'
import { findOrganization } from '../../store/people/organizations-table.ts'
import { readEndedRuns } from '../../store/runs/find-usable-run.ts'
import type { Run } from '../../model/run.ts'
import { makeDrawOnce } from '../charts/draw-once.ts'
import type { ImageInput } from '../charts/draw-image.ts'
import { renderPng } from '../charts/png.ts'
import { readImageRows } from '../charts/read-image-rows.ts'
import { badInput } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { cachedResultOf } from '../results/results.ts'
import { type BoardResultsDeps, planTiles, resultsOf } from './board-results.ts'
import { getBoard, shortIdsOf } from './boards.ts'
import type { drawBoard, DrawnTile, TileDrawing } from './draw-board.ts'
import { type ValuesInUrl, valuesInUrl } from './tile-values.ts'

export interface BoardImageDeps extends BoardResultsDeps {
  results: ResultStore
}

/** The *tag* covers everything that the image is made of, so the same tag always means the same image. */
export interface BoardImage {
  tag: string
  png(): Promise<Buffer>
}

export type BoardImages = (
  caller: Caller,
  request: { shortId: string; tabId?: string; parameters?: ParameterValues; valuesInUrl?: ValuesInUrl },
) => Promise<BoardImage>

/** The organization's own colors. */
type Palette = readonly string[] | null

/** Increase this when the drawing of boards changes. */
const drawingVersion = 1
const maxKeptBytes = 16 * 1024 * 1024
const maxAtOnce = 1

/** Images of boards, made of the stored results of their tiles. Drawing one runs nothing. */
export function makeBoardImages(deps: BoardImageDeps): BoardImages {
  const drawOnce = makeDrawOnce({ maxBytes: maxKeptBytes, atOnce: maxAtOnce })
  return async (caller, { shortId, tabId, parameters: known, valuesInUrl: given = {} }) => {
    const { organizationId } = caller
    const board = await getBoard(deps, caller, shortId)
    const parameters = known ?? valuesInUrl(board.parameters, given)
    const read = await readShownTiles(deps, caller, board, { tiles: tilesOfTab(board, tabId), parameters })
    const { states, queries, palette } = read
    const shown = states.map(({ tileId, status, runId, failureReason }) => [tileId, runId ?? status, failureReason])
    const look = [...queries.values()].map(({ shortId: id, title, visualization }) => [id, title, visualization])
    const tag = createHash('sha256')
      .update(JSON.stringify([drawingVersion, organizationId, board.id, board.version, tabId ?? null, shown, look, palette]))
      .digest('base64url')
    return {
      tag,
      png: () => drawOnce(tag, async () => renderBoard(await readDrawing(deps, caller, read))),
    }
  }
}

/** The chart library is loaded with the first image. */
export async function renderBoard(drawing: Parameters<typeof drawBoard>[0]): Promise<Buffer> {
  const { drawBoard: draw } = await import('./draw-board.ts')
  return renderPng(draw(drawing))
}

/** The parts of a board that its drawing depends on. */
export type DrawnBoard = Pick<Board, 'title' | 'parameters' | 'tabs' | 'tiles'>

/** Tiles with everything that their drawing is made of, except for the rows. */
export interface ShownTiles {
  board: DrawnBoard
  tiles: Tile[]
  states: TileResult[]
  queries: Map<string, TileQuery>
  palette: Palette
}

export async function readShownTiles(
  deps: BoardImageDeps,
  caller: Pick<Caller, 'organizationId'>,
  board: DrawnBoard,
  { tiles, parameters }: { tiles: Tile[]; parameters: ParameterValues },
): Promise<ShownTiles> {
  const { organizationId } = caller
  const states = await resultsOf(deps, caller, await planTiles(deps, caller, { ...board, tiles }, parameters))
  const queries = await readTileQueries(deps.db, { organizationId, shortIds: shortIdsOf(tiles) })
  const palette = (await findOrganization(deps.db, organizationId))?.chartPalette ?? null
  return { board, tiles, states, queries, palette }
}

/** The tiles of a tab, by default of the first. Tiles without a tab are on the first. */
export function tilesOfTab({ tiles, tabs }: DrawnBoard, tabId: string | undefined): Tile[] {
  if (tabId !== undefined && !tabs.some(({ id }) => id === tabId)) throw badInput('tab', 'is not a tab of the board')
  const first = tabs[0]?.id
  const shown = tabId ?? first
  return tiles.filter((tile) => (tile.tabId ?? first) === shown)
}

export async function readDrawing(
  deps: BoardImageDeps,
  caller: Pick<Caller, 'organizationId'>,
  shown: ShownTiles,
): Promise<Parameters<typeof drawBoard>[0]> {
  const { board, tiles, states, queries, palette } = shown
  const stateOf = new Map(states.map((state) => [state.tileId, state]))
  const runIds = [...new Set(states.flatMap(({ runId }) => runId ?? []))]
  const runs = new Map((runIds.length === 0 ? [] : await readEndedRuns(deps.db, runIds)).map((run) => [run.id, run]))
  const drawn: DrawnTile[] = []
  // One after the other: a board may have a hundred tiles, and each reads thousands of rows.
  for (const tile of tiles) {
    const { x, y, width, height, referenceShortId } = tile
    const query = queries.get(tile.referenceShortId ?? '')
    const state = stateOf.get(tile.id)
    const drawing =
      tile.kind === 'reference' ? await readReference(deps, { tile, query, state: state!, runs, palette }) : await readOther(deps, caller, tile)
    if (drawing) drawn.push({ x, y, width, height, drawing, ...(referenceShortId !== undefined && { referenceShortId }) })
  }
  const times = states.flatMap(({ completedAt }) => completedAt?.getTime() ?? [])
  const oldest = times.length === 0 ? '' : ` · results since ${new Date(Math.min(...times)).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return { title: board.title, footer: `Querypost${oldest}`, tiles: drawn }
}

async function readOther(deps: BoardImageDeps, { organizationId }: Pick<Caller, 'organizationId'>, tile: Tile): Promise<TileDrawing | undefined> {
  if (tile.kind === 'text' || tile.kind === 'heading') return { kind: tile.kind, text: tile.text ?? '' }
  const image = await findBoardImage(deps.db, { organizationId, imageId: tile.imageId! })
  return image && { kind: 'image', dataUrl: `data:${image.contentType};base64,${image.bytes.toString('base64')}` }
}

async function readReference(
  deps: BoardImageDeps,
  input: { tile: Tile; query: TileQuery | undefined; state: TileResult; runs: Map<string, Run>; palette: Palette },
): Promise<TileDrawing> {
  const { tile, query, state, runs, palette } = input
  const own = query?.visualization ?? null
  // A table keeps the settings of its columns.
  const visualization = tile.shows === 'table' && own ? { ...own, type: 'table' as const, jsxConfig: '' } : own
  const title = tile.title ?? query?.title ?? 'Deleted query'
  const run = state.runId === null ? undefined : runs.get(state.runId)
  const result = run ? await rowsOrWhyNot(deps, run, visualization) : whyNone(state)
  return { kind: 'reference', image: { title, visualization, result, palette } }
}

function whyNone({ status, failureReason }: TileResult): string {
  if (status === 'failed') return failureReason ?? 'The query failed'
  if (status === 'expired') return 'The result has expired'
  return status === 'running' ? 'Running…' : 'No result yet'
}

async function rowsOrWhyNot(
  deps: BoardImageDeps,
  run: Run,
  visualization: ImageInput['visualization'],
): Promise<ImageInput['result']> {
  try {
    return await readImageRows(cachedResultOf(deps, run), visualization)
  } catch (error) {
    if (error instanceof RowTooLarge) return 'A row of the result is too large to draw.'
    if (error instanceof Refusal) return 'The result has expired'
    throw error
  }
}
