import type { Board, Tile } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import type { RecipientValues, ReportDocument, UnlinkedReport } from '../../model/report.ts'
import type { Run } from '../../model/run.ts'
import { findOrganization } from '../../store/people/organizations-table.ts'
import { readTileQueries, type TileQuery } from '../../store/boards/read-tile-queries.ts'
import { type QueryRunDeps, runReferenceToEnd } from '../agents/query-runs.ts'
import type { BoardImages } from '../boards/board-image.ts'
import { drawBoardPages } from '../boards/export-board.ts'
import { planTiles, type PlannedTile } from '../boards/board-results.ts'
import { getBoard, shortIdsOf } from '../boards/boards.ts'
import { valuesOfBoard, valuesOfTile } from '../boards/tile-values.ts'
import { plainText } from '../plain-text.ts'
import { Refusal } from '../refusal.ts'
import { shortened } from '../shortened.ts'
import type { AttachmentSource, AttachmentWriters } from './attachment-writers.ts'
import { writeAttachments } from './attachments.ts'
import { type RenderedSection, renderSection, type SectionDeps } from './render-section.ts'
import type { ReportRequest } from './report-request.ts'

export type RenderBoardDeps = QueryRunDeps &
  SectionDeps & { baseUrl: string; boardImages: BoardImages; attachmentWriters: AttachmentWriters }

/** A board with some values of its parameters. Each tile runs, unless a result since `resultsSince` can be used. */
export async function renderBoard(
  deps: RenderBoardDeps,
  caller: Caller,
  request: ReportRequest & { boardShortId: string; values: RecipientValues | null },
): Promise<UnlinkedReport> {
  const { organizationId } = caller
  const board = await getBoard(deps, caller, request.boardShortId)
  const parameters = request.values ?? {}
  const boardValues = valuesOfBoard(board.parameters, parameters)
  const planned = new Map((await planTiles(deps, caller, board, parameters)).map((each) => [each.tile.id, each]))
  const queries = await readTileQueries(deps.db, { organizationId, shortIds: shortIdsOf(board.tiles) })
  const palette = (await findOrganization(deps.db, organizationId))?.chartPalette ?? null
  const link = boardLink(deps, board, request.values)
  const sections: RenderedSection[] = []
  const results: AttachmentSource['results'] = []
  for (const tile of inOrder(board)) {
    if (tile.kind !== 'reference') {
      sections.push(...textSection(tile))
      continue
    }
    const query = queries.get(tile.referenceShortId!)
    const title = tile.title ?? query?.title ?? 'Deleted query'
    const run = await runTile(planned.get(tile.id)!, query)
    if (typeof run === 'string') {
      sections.push({ section: { kind: 'failure', title, link, reason: run } })
      continue
    }
    const runLink = `${deps.baseUrl}/runs/${run.id}`
    const visualization = tile.shows === 'table' ? null : (query?.visualization ?? null)
    sections.push(await renderSection(deps, { title, link: runLink, visualization, palette, run }, { imageId: `chart-${sections.length + 1}` }))
    if (run.status === 'completed') results.push({ title, run })
  }

  /** The run, or why there is none. */
  async function runTile({ tile, run }: PlannedTile, query: TileQuery | undefined): Promise<Run | string> {
    if ('failureReason' in run) return run.failureReason
    const { parameterValues: known } = run
    try {
      return await runReferenceToEnd(deps, caller, {
        shortId: query!.shortId,
        parameterValues: valuesOfTile(tile, boardValues, (name) => Object.hasOwn(known, name)),
        notBefore: request.resultsSince,
        signal: request.signal,
      })
    } catch (error) {
      if (error instanceof Refusal) return error.message
      throw error
    }
  }

  const attached = await writeAttachments(
    deps.attachmentWriters,
    {
      title: board.title,
      results,
      boardImage: async () => (await deps.boardImages(caller, { shortId: board.shortId, parameters })).png(),
      boardPdf: () => drawBoardPages(deps, caller, board, parameters),
    },
    { kinds: request.attachments, maxBytes: request.attachmentMaxBytes, signal: request.signal },
  )
  const document: ReportDocument = {
    title: board.title,
    preview: previewOf(board, sections),
    link,
    sentAt: deps.clock.now().toISOString(),
    sections: sections.map(({ section }) => section),
    note: request.note,
  }
  return {
    document,
    images: new Map(sections.flatMap(({ image }) => (image ? [[image.id, image.bytes] as const] : []))),
    attachments: attached.files,
    linkedFiles: attached.linkedFiles,
  }
}

/** Tab by tab, from the top left to the bottom right. */
function inOrder({ tiles, tabs }: Board): Tile[] {
  const placeOf = new Map(tabs.map(({ id }, at) => [id, at]))
  const tabOf = ({ tabId }: Tile) => (tabId === undefined ? 0 : (placeOf.get(tabId) ?? 0))
  return tiles.toSorted((a, b) => tabOf(a) - tabOf(b) || a.y - b.y || a.x - b.x)
}

/** Images are decoration, which many mail programs do not show. */
function textSection(tile: Tile): RenderedSection[] {
  if (tile.kind === 'image' || !tile.text?.trim()) return []
  const markdown = tile.kind === 'heading' ? `## ${tile.text}` : tile.text
  return [{ section: { kind: 'text', markdown, figures: [] } }]
}

const previewMaxCharacters = 150

/** The numbers of the board, which say most in few words; otherwise its description or its titles. */
function previewOf({ description }: Board, sections: RenderedSection[]): string {
  const numbers = sections.flatMap(({ section }) => (section.kind === 'number' ? `${section.title}: ${section.text}` : []))
  const titles = sections.flatMap(({ section }) => ('title' in section ? section.title : []))
  const text = numbers.length > 0 ? numbers.join(' · ') : description ? plainText(description) : titles.join(' · ')
  return shortened(text.replaceAll(/\s+/g, ' ').trim(), previewMaxCharacters)
}

function boardLink({ baseUrl }: { baseUrl: string }, { shortId }: Board, values: RecipientValues | null): string {
  const search = new URLSearchParams(
    Object.entries(values ?? {}).flatMap(([name, value]) => [value].flat().map((each) => [name, each])),
  ).toString()
  return `${baseUrl}/b/${shortId}${search === '' ? '' : `?${search}`}`
}
