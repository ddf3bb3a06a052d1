import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ParameterValues } from '../../model/parameter.ts'
import type { ViewedBoardFormat, Viewer } from '../../model/sharing/public-link.ts'
import { xlsxContentType } from '../../results/downloads/xlsx/write-xlsx.ts'
import { readDrawing, readShownTiles, renderBoard, type ShownTiles, tilesOfTab } from '../boards/board-image.ts'
import { openWorkbook } from '../boards/export-board.ts'
import { makeDrawOnce } from '../charts/draw-once.ts'
import { fileNameOf } from '../results/downloads.ts'
import { readViewedItem } from './shared-item.ts'
import { requireDownload, type ViewResultsDeps } from './view-results.ts'
import { valuesForViewer } from './viewer-values.ts'

export interface ViewedBoardFile {
  fileName: string
  contentType: string
  bytes: Buffer | Readable
}

export type ViewedBoardFiles = (
  viewer: Viewer,
  request: {
    format: ViewedBoardFormat
    /** Of the image; a workbook has the results of all tabs. */
    tabId?: string | undefined
    parameters: ParameterValues
  },
) => Promise<ViewedBoardFile>

export const viewedBoardTypes: Record<ViewedBoardFormat, string> = { xlsx: xlsxContentType, png: 'image/png' }

/** Increase this when the drawing changes. */
const drawingVersion = 1
const maxKeptBytes = 8 * 1024 * 1024
const maxAtOnce = 1

/** Whole boards as files, made of the stored results of the tiles that a viewer sees. */
export function makeViewedBoardFiles(deps: ViewResultsDeps): ViewedBoardFiles {
  const drawOnce = makeDrawOnce({ maxBytes: maxKeptBytes, atOnce: maxAtOnce })
  return async (viewer, { format, tabId, parameters: given }) => {
    requireDownload(viewer, format)
    const item = await readViewedItem(deps, viewer)
    const parameters = valuesForViewer(item.parameters, viewer, given)
    const tiles = format === 'png' ? tilesOfTab(item, tabId) : item.tiles
    const shown = withoutReasons(await readShownTiles(deps, viewer, item, { tiles, parameters }))
    const file = { fileName: `${fileNameOf(item.title) || 'Board'}.${format}`, contentType: viewedBoardTypes[format] }
    if (format === 'xlsx') return { ...file, bytes: await openWorkbook(deps, shown) }
    const png = await drawOnce(tagOf(viewer, shown), async () => renderBoard(await readDrawing(deps, viewer, shown)))
    return { ...file, bytes: png }
  }
}

/** Reasons of failures may quote the SQL. */
const withoutReasons = (shown: ShownTiles): ShownTiles => ({
  ...shown,
  states: shown.states.map((state) => ({ ...state, failureReason: null })),
})

/** Covers everything that the image is made of. */
function tagOf({ organizationId }: Viewer, { board, tiles, states, queries, palette }: ShownTiles): string {
  const results = states.map(({ tileId, status, runId }) => [tileId, runId ?? status])
  const looks = [...queries.values()].map(({ shortId, title, visualization }) => [shortId, title, visualization])
  const content = [drawingVersion, organizationId, board.title, tiles, results, looks, palette]
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url')
}
