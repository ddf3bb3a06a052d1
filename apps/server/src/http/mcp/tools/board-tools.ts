import { type Static, Type } from 'typebox'
import { readBoardResults } from '../../../domain/boards/board-results.ts'
import { getBoard, listBoards as readBoards, withReferences } from '../../../domain/boards/boards.ts'
import { refreshBoard as refresh } from '../../../domain/boards/refresh-board.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { openResultRows } from '../../../domain/results/result-rows.ts'
import { type Tile, tileKinds, type TileResult, tileStates } from '../../../model/board.ts'
import { parameterTypes } from '../../../model/parameter.ts'
import type { Run } from '../../../model/run.ts'
import { readEndedRuns } from '../../../store/runs/find-usable-run.ts'
import { oneOf } from '../../schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { linksAt } from '../mcp-links.ts'
import { shown, shownOrNull, shownValue } from '../mcp-texts.ts'
import { BoardShortId, closed, GivenValues, integer, Next, nullable, nullableInteger, nullableText, pageOf, pageRequest, paging, text, waiting } from '../shapes.ts'
import { defineTool, reads, type ToolContext } from '../tool.ts'
import { waitForEnd } from '../wait-for-end.ts'

export const listBoards = defineTool({
  name: 'list_boards',
  scope: 'read:boards',
  title: 'List boards',
  description: 'Lists boards, which are pages of charts, tables and figures over saved queries, newest first.',
  hints: reads,
  input: Type.Object(paging, closed),
  output: pageOf(
    Type.Object({ shortId: text, title: text, description: nullableText, tileCount: integer, updatedAt: text, url: text }),
  ),
  async call({ services, caller }, input) {
    const page = await readBoards(services, caller, pageRequest(input))
    const items = page.items.map(({ shortId, title, description, tiles, updatedAt }) => ({
      shortId,
      title: shown(title, bounds.listedText),
      description: shownOrNull(description, bounds.listedText),
      tileCount: tiles.length,
      updatedAt: updatedAt.toISOString(),
      url: linksAt(services).board(shortId),
    }))
    return { ...page, items }
  },
})

const FirstRows = Type.Object({
  completedAt: text,
  rowCount: nullableInteger,
  columns: Type.Array(text),
  rows: Type.Array(Type.Array(Type.Unsafe<unknown>({}))),
})

const BoardAnswer = Type.Object({
  shortId: text,
  version: integer,
  title: text,
  description: nullableText,
  parameters: Type.Array(Type.Object({ name: text, type: oneOf(parameterTypes), defaultValue: text, isList: Type.Optional(Type.Boolean()) })),
  tiles: Type.Array(
    Type.Object({
      id: text,
      kind: oneOf(tileKinds),
      place: Type.Array(integer, { description: 'x, y, width, height' }),
      title: nullableText,
      text: nullableText,
      referenceShortId: nullableText,
      status: nullable(oneOf(tileStates)),
      failureReason: nullableText,
      runId: nullableText,
      result: nullable(FirstRows),
    }),
  ),
  url: text,
  next: Next,
})

export const readBoard = defineTool({
  name: 'read_board',
  scope: 'read:boards',
  title: 'Read a board',
  description: `Returns the tiles of a board with their newest figures: the first ${bounds.tileRows} rows of each stored result. Runs nothing.`,
  hints: reads,
  input: Type.Object({ shortId: BoardShortId, parameterValues: Type.Optional(GivenValues) }, closed),
  output: BoardAnswer,
  async call(context, { shortId, parameterValues = {} }) {
    const { services, caller } = context
    return present(context, shortId, await readBoardResults(services, caller, { shortId, parameters: parameterValues }))
  },
})

export const refreshBoard = defineTool({
  name: 'refresh_board',
  scope: 'run:boards',
  title: 'Refresh a board',
  description:
    'Runs the queries of all tiles of a board and returns their figures. Not needed if read_board has recent enough results. ' +
    'Queries that take longer than waitSeconds keep running.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: Type.Object(
    { shortId: BoardShortId, parameterValues: Type.Optional(GivenValues), ...waiting(bounds.waitSecondsDefault) },
    closed,
  ),
  output: BoardAnswer,
  async call(context, { shortId, parameterValues = {}, waitSeconds = bounds.waitSecondsDefault }) {
    const { services, caller, signal, reportProgress } = context
    const given = { shortId, parameters: parameterValues }
    const started = await refresh(services, caller, given)
    const runId = started.find(({ runningRunId }) => runningRunId !== null)?.runningRunId
    const results = await waitForEnd({
      clock: services.clock,
      waitMs: waitSeconds * 1000,
      signal,
      look: () => readBoardResults(services, caller, given),
      isEnded: (latest) => runningIn(latest) === 0,
      ...(runId && { woken: (until) => services.runEnds.wait(runId, until) }),
      onWaiting: (latest) => reportProgress(`${runningIn(latest)} of ${latest.length} tiles are running`),
    })
    return present(context, shortId, results)
  },
})

const runningIn = (results: TileResult[]): number => results.filter(({ status }) => status === 'running').length

async function present(
  { services, caller }: ToolContext,
  shortId: string,
  results: TileResult[],
): Promise<Static<typeof BoardAnswer>> {
  const board = await withReferences(services, caller, await getBoard(services, caller, shortId))
  const titles = new Map(board.references.map((reference) => [reference.shortId, reference.title]))
  const states = new Map(results.map((result) => [result.tileId, result]))
  const runIds = [...new Set(results.flatMap(({ runId }) => runId ?? []))]
  const runs = new Map((runIds.length === 0 ? [] : await readEndedRuns(services.db, runIds)).map((run) => [run.id, run]))
  const shownTiles = board.tiles.slice(0, bounds.tiles)
  const tiles: Static<typeof BoardAnswer>['tiles'] = []
  for (const tile of shownTiles) tiles.push(await presentTile(tile, states.get(tile.id)))
  const running = runningIn(results)
  return {
    shortId,
    version: board.version,
    title: shown(board.title, bounds.listedText),
    description: shownOrNull(board.description, bounds.description),
    parameters: board.parameters.map(({ name, type, defaultValue, isList }) => ({
      name,
      type,
      defaultValue: shown(defaultValue, bounds.parameterValue),
      ...(isList && { isList }),
    })),
    tiles,
    url: linksAt(services).board(shortId),
    next: [
      running > 0
        ? `${running} tiles are still running. Use read_board to read them later.`
        : 'Use read_result with the runId of a tile to read all its rows.',
      ...(board.tiles.length > tiles.length ? [`Only the first ${tiles.length} of ${board.tiles.length} tiles are shown.`] : []),
    ].join(' '),
  }

  async function presentTile(tile: Tile, state: TileResult | undefined) {
    const run = state?.runId ? runs.get(state.runId) : undefined
    return {
      id: tile.id,
      kind: tile.kind,
      place: [tile.x, tile.y, tile.width, tile.height],
      title: shownOrNull(tile.title ?? titles.get(tile.referenceShortId ?? '') ?? null, bounds.listedText),
      text: shownOrNull(tile.text ?? null, bounds.description),
      referenceShortId: tile.referenceShortId ?? null,
      status: state?.status ?? null,
      failureReason: shownOrNull(state?.failureReason ?? null, bounds.failureReason),
      runId: state?.runId ?? null,
      result: run ? await firstRows(services, run) : null,
    }
  }
}

async function firstRows(services: ToolContext['services'], run: Run): Promise<Static<typeof FirstRows> | null> {
  try {
    const { fields, rows: stored } = await openResultRows(services, run, { offset: 0 })
    const columns = fields.slice(0, bounds.tileColumns).map(({ name }) => shown(name, bounds.tileCell))
    const rows: unknown[][] = []
    for await (const row of stored) {
      rows.push(row.slice(0, bounds.tileColumns).map((cell) => shownValue(cell, bounds.tileCell)))
      if (rows.length === bounds.tileRows) break
    }
    return { completedAt: run.completedAt!.toISOString(), rowCount: run.rowCount, columns, rows }
  } catch (error) {
    // It expired just now.
    if (error instanceof Refusal) return null
    throw error
  }
}
