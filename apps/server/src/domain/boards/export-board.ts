import { Readable } from 'node:stream'
import type { Board, Tile } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import type { ParameterValues } from '../../model/parameter.ts'
import { makeSemaphore } from '../../ports/semaphore.ts'
import { readRawRows } from '../../results/read-rows.ts'
import { type SheetSource, writeXlsx, xlsxContentType } from '../../results/downloads/xlsx/write-xlsx.ts'
import { readEndedRuns } from '../../store/runs/find-usable-run.ts'
import { Refusal } from '../refusal.ts'
import { fileNameOf } from '../results/downloads.ts'
import { cachedResultOf, type CachedResult } from '../results/results.ts'
import { type BoardImageDeps, type DrawnBoard, readDrawing, readShownTiles, type ShownTiles, tilesOfTab } from './board-image.ts'
import { getBoard } from './boards.ts'

export const boardExportFormats = ['xlsx', 'pdf'] as const
export type BoardExportFormat = (typeof boardExportFormats)[number]

export const boardExportTypes: Record<BoardExportFormat, string> = { xlsx: xlsxContentType, pdf: 'application/pdf' }

export interface BoardExportDeps extends BoardImageDeps {
  baseUrl: string
}

export interface BoardExport {
  fileName: string
  contentType: string
  bytes: Readable
}

/** A little more than the largest row any engine returns. */
const rowMaxBytes = 40 * 1024 * 1024
/** Drawing uses the threads that file access and compression need too. */
const drawingTurns = makeSemaphore({ permits: 1 })

/** A board as a file, made of the stored results of its tiles. It runs nothing. */
export async function exportBoard(
  deps: BoardExportDeps,
  caller: Caller,
  request: { shortId: string; format: BoardExportFormat; parameters: ParameterValues },
): Promise<BoardExport> {
  const { format, parameters } = request
  const board = await getBoard(deps, caller, request.shortId)
  const bytes =
    format === 'xlsx'
      ? await openWorkbook(deps, await readShownTiles(deps, caller, board, { tiles: board.tiles, parameters }))
      : Readable.from([await drawBoardPages(deps, caller, board, parameters)])
  return { fileName: `${fileNameOf(board.title) || 'Board'}.${format}`, contentType: boardExportTypes[format], bytes }
}

/** The board as a PDF. */
export async function drawBoardPages(deps: BoardExportDeps, caller: Caller, board: Board, parameters: ParameterValues): Promise<Buffer> {
  const shown = await readShownTiles(deps, caller, board, { tiles: board.tiles, parameters })
  return drawingTurns.run(() => drawPages(deps, caller, board, shown))
}

async function drawPages(deps: BoardExportDeps, caller: Caller, board: Board, shown: ShownTiles): Promise<Buffer> {
  const { queries } = shown
  const tabs = board.tabs.length === 0 ? [{ id: undefined, title: null }] : board.tabs
  const pages = []
  let footer = ''
  for (const { id, title } of tabs) {
    const drawing = await readDrawing(deps, caller, { ...shown, tiles: tilesOfTab(board, id) })
    footer = drawing.footer
    pages.push({ title, tiles: drawing.tiles })
  }
  const link = `${deps.baseUrl}/b/${board.shortId}`
  const linkOf = (shortId: string) => (queries.has(shortId) ? `${deps.baseUrl}/q/${shortId}` : undefined)
  const { writeBoardPdf } = await import('./write-board-pdf.ts')
  return writeBoardPdf({ title: board.title, footer, link, linkOf, tabs: pages, createdAt: deps.clock.now() })
}

/** The results of the tiles as a workbook. */
export async function openWorkbook(deps: BoardImageDeps, shown: ShownTiles): Promise<Readable> {
  const sheets = await sheetsOf(deps, shown)
  if (sheets.length === 0) {
    throw new Refusal('result_not_available', 'The board has no results to write into a workbook. Refresh the board first.')
  }
  return Readable.from(writeXlsx(sheets), { objectMode: false })
}

/** One sheet for each tile with a result, tab by tab, from the top left to the bottom right. */
async function sheetsOf(deps: BoardImageDeps, { board, tiles, states, queries }: ShownTiles): Promise<SheetSource[]> {
  const runIds = [...new Set(states.flatMap(({ runId }) => runId ?? []))]
  const runs = new Map((runIds.length === 0 ? [] : await readEndedRuns(deps.db, runIds)).map((run) => [run.id, run]))
  const stateOf = new Map(states.map((state) => [state.tileId, state]))
  return inOrder(board, tiles).flatMap((tile) => {
    const run = runs.get(stateOf.get(tile.id)?.runId ?? '')
    const result = run?.status === 'completed' ? usable(() => cachedResultOf(deps, run)) : undefined
    if (!result) return []
    const title = tile.title ?? queries.get(tile.referenceShortId ?? '')?.title ?? 'Deleted query'
    return [{ title, open: async () => readRawRows(await result.open(), { rowMaxBytes }) }]
  })
}

/** A result that has expired is left out. */
function usable(find: () => CachedResult): CachedResult | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function inOrder({ tabs }: DrawnBoard, tiles: readonly Tile[]): Tile[] {
  const placeOf = new Map(tabs.map(({ id }, at) => [id, at]))
  const tabOf = ({ tabId }: Tile) => placeOf.get(tabId ?? '') ?? 0
  return tiles.toSorted((a, b) => tabOf(a) - tabOf(b) || a.y - b.y || a.x - b.x)
}
