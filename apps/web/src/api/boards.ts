import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Body, operationUrl } from './operations.ts'
import { request } from './request.ts'
import { upload, type UploadOptions } from './upload.ts'

export type {
  Board,
  BoardDraft,
  BoardTab,
  BoardVersion,
  BoardVersionInFull,
  ListedBoard,
  ReferenceSummary,
  Tile,
  TileResult,
} from './generated/schemas.ts'

/** Values of a board's parameters, by name. */
export type BoardValues = NonNullable<Body<'POST /boards/{shortId}/results'>['parameters']>

export const boardListKey = ['boards', 'list']

/** The boards in a folder, in none (`none`) or in any (an empty text), newest first. */
export const boardsInFolderOptions = (folder: string) =>
  infiniteQueryOptions({
    queryKey: [...boardListKey, folder],
    queryFn: ({ signal, pageParam: cursor }) =>
      request('GET /boards', { query: { cursor, limit: 50, folder: folder || undefined }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  })

/** The organization's boards, newest first. */
export const boardsOptions = boardsInFolderOptions('')

export const getBoard = (shortId: string, signal?: AbortSignal) => request('GET /boards/{shortId}', { params: { shortId }, signal })

export const boardOptions = (shortId: string) =>
  queryOptions({ queryKey: ['boards', shortId], queryFn: ({ signal }) => getBoard(shortId, signal) })

export const createBoard = (body: Body<'POST /boards'>) => request('POST /boards', { body })

/** Rejected with `version_conflict` if somebody has saved the board since that version. */
export const saveBoard = (shortId: string, version: number, body: Body<'PATCH /boards/{shortId}'>) =>
  request('PATCH /boards/{shortId}', { params: { shortId }, version, body })

export const deleteBoard = (shortId: string, version: number) => request('DELETE /boards/{shortId}', { params: { shortId }, version })

export const duplicateBoard = (shortId: string) => request('POST /boards/{shortId}/duplicate', { params: { shortId } })

/** A board on these words, from saved queries. Nothing is stored. */
export const draftBoard = (description: string) => request('POST /boards/draft', { body: { description } })

export const boardVersionsOptions = (shortId: string) =>
  infiniteQueryOptions({
    queryKey: ['boards', shortId, 'versions'],
    queryFn: ({ signal, pageParam: cursor }) =>
      request('GET /boards/{shortId}/versions', { params: { shortId }, query: { cursor, limit: 20 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  })

/** A saved state never changes. */
export const boardVersionOptions = (shortId: string, version: number) =>
  queryOptions({
    queryKey: ['boards', shortId, 'versions', version],
    queryFn: ({ signal }) => request('GET /boards/{shortId}/versions/{version}', { params: { shortId, version: String(version) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Restores an earlier state as a new version, also of a deleted board. */
export const restoreBoardVersion = (shortId: string, version: number) =>
  request('POST /boards/{shortId}/versions/{version}/restore', { params: { shortId, version: String(version) } })

/** The state of every tile with a query, for these values. Nothing is run. */
export const getTileResults = (shortId: string, parameters: BoardValues, signal?: AbortSignal) =>
  request('POST /boards/{shortId}/results', { params: { shortId }, body: { parameters }, signal })

export const boardResultsOptions = (shortId: string, parameters: BoardValues) =>
  queryOptions({
    queryKey: ['boards', shortId, 'results', parameters],
    queryFn: ({ signal }) => getTileResults(shortId, parameters, signal),
  })

/** The states of all tiles, and the rows that some show. Tiles that need the whole of a long result get none. */
export const getShortResults = (shortId: string, body: Body<'POST /boards/{shortId}/short-results'>, signal?: AbortSignal) =>
  request('POST /boards/{shortId}/short-results', { params: { shortId }, body, signal })

/** Runs the queries of all tiles, of the given ones, or of those without a result. Each tile gets its own state. */
export const refreshBoard = (shortId: string, body: Body<'POST /boards/{shortId}/refresh'>) =>
  request('POST /boards/{shortId}/refresh', { params: { shortId }, body })

export const uploadBoardImage = (file: Blob, options: UploadOptions) => upload('POST /board-images', file, {}, options)

export const boardImageUrl = (id: string) => operationUrl('GET /board-images/{id}', { params: { id } })

/** The board as a file, made of its stored results. */
export const boardFileUrl = (shortId: string, format: 'xlsx' | 'pdf', parameters: BoardValues) =>
  operationUrl('GET /boards/{shortId}/export', { params: { shortId }, query: { format, values: JSON.stringify(parameters) } })
