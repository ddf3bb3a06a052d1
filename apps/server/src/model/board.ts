import type { Visualization } from '@querypost/visualization'
import type { ParameterDefinition } from './parameter.ts'

/**
 * Words:
 * - A *board* is a page of *tiles* on a grid of 12 columns. Rows are as many as the tiles need.
 * - A *tile* shows a query (`reference`), Markdown (`text`), a `heading` or an `image`.
 * - A board has *parameters*. A tile's `parameterMapping` says which of them give values to the parameters of its query.
 * - Large boards have *tabs*. A tile without `tabId` is on the first one.
 * - Every saved state of a board is a *version*, numbered from 1. A deletion is a version too, so that a list can show any moment.
 */
export interface BoardContent {
  title: string
  description: string | null
  parameters: ParameterDefinition[]
  tabs: BoardTab[]
  tiles: Tile[]
}

export interface Board extends BoardContent {
  id: string
  shortId: string
  folderId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
  createdBy: { id: string; name: string } | null
}

export interface DeletedBoard extends Pick<Board, 'id' | 'shortId' | 'title'> {
  deletedAt: Date
}

export interface BoardTab {
  id: string
  title: string
}

export const tileKinds = ['reference', 'text', 'heading', 'image'] as const
export type TileKind = (typeof tileKinds)[number]

export const tileDisplays = ['chart', 'table'] as const

export interface Tile {
  /** Unique within the board. */
  id: string
  kind: TileKind
  /** The query of a `reference` tile. */
  referenceShortId?: string
  /** Markdown of a `text` tile, the words of a `heading`, the alternative text of an `image`. */
  text?: string
  /** Shown instead of the title of the query. */
  title?: string
  /** How a `reference` tile shows its result; by default as the query's own page does. */
  shows?: (typeof tileDisplays)[number]
  imageId?: string
  tabId?: string
  x: number
  y: number
  width: number
  height: number
  /** Parameters of the query, each with the name of the board's parameter that gives its value. */
  parameterMapping?: Record<string, string>
  /** A click on a mark opens another board, with the value of a column as its parameter. */
  opens?: { boardShortId: string; parameter: string; column: string }
  /** A click on a category sets a parameter of this board to the value of a column. */
  filters?: { column: string; parameter: string }
}

/** Part of a query that a tile shows. */
export interface ReferenceSummary {
  shortId: string
  title: string
  description: string | null
  visualization: Visualization | null
  parameters: ParameterDefinition[]
  queryId: string
  /** Null while the reference has no query. */
  analyticalDatabaseConfigId: string | null
}

export interface BoardVersion {
  number: number
  title: string
  tileCount: number
  /** The version that was restored with this one. */
  restoredNumber: number | null
  isDeletion: boolean
  changedAt: Date
  changedBy: { id: string; name: string }
  isCurrent: boolean
}

/**
 * - `ready`: there is a stored result for the tile's values.
 * - `running`: a run with these values is waiting or running.
 * - `failed`: the newest run with these values failed, or the tile cannot be run.
 * - `expired`: it was run with these values, but the result is no longer stored.
 * - `missing`: it was never run with these values.
 */
export const tileStates = ['ready', 'running', 'missing', 'failed', 'expired'] as const
export type TileState = (typeof tileStates)[number]

export interface TileResult {
  tileId: string
  status: TileState
  /** The newest run with the tile's values whose result is stored, even if a newer one is running or has failed. */
  runId: string | null
  /** When that run completed. */
  completedAt: Date | null
  failureReason: string | null
  /** The run with the tile's values that is pending or running. Null while it waits for another run of the query. */
  runningRunId: string | null
  /** When that run was requested, and how far it is, if the engine says so. */
  runningSince: Date | null
  progress: number | null
  rowCountSoFar: number | null
  /** Whether a person stopped the newest run with the tile's values. */
  isStopped: boolean
}

export const boardLimits = {
  columns: 12,
  rows: 10_000,
  tileHeight: 100,
  tiles: 100,
  tabs: 20,
  parameters: 20,
  titleCharacters: 200,
  descriptionCharacters: 5_000,
  textCharacters: 20_000,
  /** Of a board's content as JSON: a list of boards contains all of them. */
  contentCharacters: 256 * 1024,
  imageBytes: 1024 * 1024,
  /** Of an organization, without deleted ones. */
  boards: 1_000,
  images: 1_000,
} as const

export const imageContentTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
export type ImageContentType = (typeof imageContentTypes)[number]
