import type { FoundBoard } from '../domain/boards/find-boards.ts'
import type { Board, BoardVersion, DeletedBoard, ReferenceSummary, TileResult } from '../model/board.ts'
import type { Folder } from '../model/folder.ts'
import type { BoardVersionInFull } from '../store/boards/board-versions.ts'

interface Place {
  baseUrl: string
}

export const boardUrlOf = (shortId: string, { baseUrl }: Place) => `${baseUrl}/b/${shortId}`

const fieldsOf = (board: Board, place: Place) => ({
  id: board.id,
  shortId: board.shortId,
  permalink: boardUrlOf(board.shortId, place),
  title: board.title,
  description: board.description,
  folderId: board.folderId,
  version: board.version,
  createdAt: board.createdAt.toISOString(),
  updatedAt: board.updatedAt.toISOString(),
})

export const presentPublishedBoard = (board: Board, place: Place) => ({
  ...fieldsOf(board, place),
  parameters: board.parameters,
  tabs: board.tabs,
  tiles: board.tiles,
})

export const presentBoard = (board: Board & { references: ReferenceSummary[] }, place: Place) => ({
  ...presentPublishedBoard(board, place),
  createdBy: board.createdBy,
  references: board.references.map(presentReferenceSummary),
})

export const presentReferenceSummary = ({ visualization, ...reference }: ReferenceSummary) => ({
  ...reference,
  ...(visualization && { visualization }),
})

export const presentListedBoard = (board: FoundBoard, place: Place) => ({
  ...fieldsOf(board, place),
  createdBy: board.createdBy,
  tileCount: board.tiles.length,
  tags: board.tags,
})

export const presentDeletedBoard = ({ id, shortId, title, deletedAt }: DeletedBoard) => ({
  id,
  shortId,
  title,
  deletedAt: deletedAt.toISOString(),
})

export const presentBoardVersion = ({ changedAt, ...version }: BoardVersion) => ({
  ...version,
  changedAt: changedAt.toISOString(),
})

export const presentBoardVersionInFull = ({ changedAt, ...version }: BoardVersionInFull) => ({
  ...version,
  changedAt: changedAt.toISOString(),
})

export const presentTileResults = (results: TileResult[]) => ({
  tiles: results.map(({ completedAt, runningSince, ...result }) => ({
    ...result,
    completedAt: completedAt?.toISOString() ?? null,
    runningSince: runningSince?.toISOString() ?? null,
  })),
})

export const presentFolder = ({ createdAt, updatedAt, ...folder }: Folder) => ({
  ...folder,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
