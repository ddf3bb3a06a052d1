import { isDeepStrictEqual } from 'node:util'
import {
  type Board,
  boardLimits,
  type BoardContent,
  type DeletedBoard,
  type ReferenceSummary,
  type Tile,
} from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { findBoardImageIds } from '../../store/boards/board-images-table.ts'
import {
  countBoards,
  findBoard,
  findBoardShortIds,
  insertBoard,
  isBoardShortId,
  lockBoard,
  markBoardDeleted,
  updateBoard,
} from '../../store/boards/boards-table.ts'
import { keepHiddenTiles } from '../../store/boards/mask-hidden-tiles.ts'
import { readBoardsPage } from '../../store/boards/read-boards-page.ts'
import { readTileQueries } from '../../store/boards/read-tile-queries.ts'
import type { Db, Tx } from '../../store/db.ts'
import { requireFolderEdit } from '../access/require-access.ts'
import { changesOf } from '../audit/changes.ts'
import { recordAction, type RecordDeps } from '../audit/record-action.ts'
import { versionConflict } from '../content-version.ts'
import { requireFolder } from '../folders/folders.ts'
import { newId, newShortId, shortIdPattern } from '../ids.ts'
import { isManagedFolder, requireUnmanaged } from '../managed/managed-items.ts'
import { type PageDeps, readPage } from '../pagination/page.ts'
import { Refusal } from '../refusal.ts'
import { checkBoard, type KnownParts } from './check-board.ts'

export interface BoardsDeps {
  db: Db
  clock: Clock
  random: Random
}

/** Newest first; all pages show the moment of the first. */
export function listBoards(deps: PageDeps & { db: Db }, caller: Caller, request: PageRequest): Promise<Page<Board>> {
  return readPage(deps, { caller, list: 'boards', request, read: (page) => readBoardsPage(deps.db, page) })
}

export async function getBoard(
  deps: Pick<BoardsDeps, 'db'>,
  { organizationId }: Pick<Caller, 'organizationId'>,
  shortId: string,
): Promise<Board> {
  const board = shortIdPattern.test(shortId) ? await findBoard(deps.db, { organizationId, shortId }) : undefined
  if (!board) throw noSuchBoard(shortId)
  return board
}

/** Adds the queries of the tiles, without deleted ones. */
export async function withReferences<Tiles extends { tiles: Tile[] }>(
  deps: Pick<BoardsDeps, 'db'>,
  { organizationId }: Caller,
  board: Tiles,
): Promise<Tiles & { references: ReferenceSummary[] }> {
  const found = await readTileQueries(deps.db, { organizationId, shortIds: shortIdsOf(board.tiles) })
  return { ...board, references: [...found.values()].map(({ query: _query, referenceId: _referenceId, freshForSeconds: _freshForSeconds, ...reference }) => reference) }
}

/** For the permalink, which anyone may open: it reveals that there is a page, but not what is on it. */
export async function isExistingBoard(deps: Pick<BoardsDeps, 'db'>, shortId: string): Promise<boolean> {
  return shortIdPattern.test(shortId) && isBoardShortId(deps.db, shortId)
}

/** A tile as callers give it: a new one has no id yet. */
export type GivenTile = Omit<Tile, 'id'> & { id?: string }

export interface BoardEdit extends Partial<Omit<BoardContent, 'tiles'>> {
  tiles?: GivenTile[]
  folderId?: string | null
}

export const createBoard = (deps: BoardsDeps, caller: Caller, input: BoardEdit & { title: string }): Promise<Board> =>
  insert(deps, caller, input)

async function insert(
  deps: BoardsDeps,
  caller: Caller,
  input: BoardEdit & { title: string },
  original?: BoardContent,
): Promise<Board> {
  const { organizationId, userId } = caller
  const { folderId = null, ...given } = input
  const empty: BoardContent = { title: '', description: null, parameters: [], tabs: [], tiles: [] }
  const content = edited(deps, empty, given)
  const shortId = newShortId(deps.random)
  return deps.db.transaction().execute(async (tx) => {
    checkBoard(content, await readKnownParts(tx, caller, content, original))
    if (folderId !== null) await requireFolder(tx, caller, folderId)
    const count = await countBoards(tx, organizationId)
    if (count >= boardLimits.boards) {
      throw new Refusal('invalid_request', `Your organization has ${count} boards, the maximum. Delete some first.`)
    }
    const id = newId(deps.random, 'board')
    await insertBoard(tx, { ...content, id, organizationId, shortId, folderId, createdBy: userId, now: deps.clock.now() })
    const details = { tileCount: content.tiles.length }
    await recordAction({ ...deps, tx }, caller, { action: 'board.created', subject: subjectOf({ shortId, ...content }), details })
    return (await findBoard(tx, { organizationId, shortId }))!
  })
}

/** Changes a board that still has the given version. An edit that changes nothing saves no version. */
export async function editBoard(
  deps: BoardsDeps,
  caller: Caller,
  key: { shortId: string; version: number },
  edit: BoardEdit,
): Promise<Board> {
  return deps.db.transaction().execute(async (tx) => {
    const before = await lockVersion(tx, caller, key)
    const { folderId = before.folderId, ...given } = edit
    const wanted = edited(deps, contentOf(before), given)
    const content = { ...wanted, tiles: await keepHiddenTiles(tx, { before: before.tiles, after: wanted.tiles }) }
    if (folderId === before.folderId && isDeepStrictEqual(content, contentOf(before))) return before
    checkBoard(content, await readKnownParts(tx, caller, content, before))
    if (folderId !== before.folderId && folderId !== null) await requireFolder(tx, caller, folderId)
    return saveVersion({ ...deps, tx }, caller, before, { content, folderId })
  })
}

interface NextState {
  content: BoardContent
  folderId: string | null
  restoredNumber?: number
}

/** Saves the next version of a locked board. */
export async function saveVersion(
  deps: RecordDeps,
  caller: Caller,
  before: Board,
  next: NextState,
): Promise<Board> {
  const { tx, clock } = deps
  const { content, folderId, restoredNumber } = next
  await requireUnmanaged(tx, caller, { kind: 'board', id: before.shortId })
  await updateBoard(tx, { boardId: before.id, ...next, changedBy: caller.userId, now: clock.now() })
  await recordAction(deps, caller, {
    action: restoredNumber === undefined ? 'board.changed' : 'board.restored',
    subject: subjectOf(before),
    details: {
      version: before.version + 1,
      ...(restoredNumber !== undefined && { restoredNumber }),
      changes: changesOf(auditFields(before), auditFields({ ...content, folderId })),
    },
  })
  return (await findBoard(tx, { organizationId: caller.organizationId, shortId: before.shortId }))!
}

export async function deleteBoard(
  deps: BoardsDeps,
  caller: Caller,
  key: { shortId: string; version: number },
): Promise<DeletedBoard> {
  return deps.db.transaction().execute(async (tx) => {
    const board = await lockVersion(tx, caller, key)
    return deleteLocked({ ...deps, tx }, caller, board)
  })
}

/** Deletes a locked board. */
export async function deleteLocked(deps: RecordDeps, caller: Caller, board: Board): Promise<DeletedBoard> {
  await requireUnmanaged(deps.tx, caller, { kind: 'board', id: board.shortId })
  const deletedAt = deps.clock.now()
  await markBoardDeleted(deps.tx, { boardId: board.id, changedBy: caller.userId, now: deletedAt })
  await recordAction(deps, caller, { action: 'board.deleted', subject: subjectOf(board) })
  return { ...board, deletedAt }
}

/**
 * A copy with a permalink of its own, in the same folder unless that is managed. It may refer to deleted queries, as its original does.
 */
export async function duplicateBoard(deps: BoardsDeps, caller: Caller, shortId: string): Promise<Board> {
  const original = await getBoard(deps, caller, shortId)
  const title = `${original.title.slice(0, boardLimits.titleCharacters - copySuffix.length)}${copySuffix}`
  const isManaged = await isManagedFolder(deps.db, caller, original.folderId)
  return insert(deps, caller, { ...contentOf(original), title, folderId: isManaged ? null : original.folderId }, original)
}

const copySuffix = ' (copy)'

async function lockVersion(
  tx: Tx,
  caller: Caller,
  { shortId, version }: { shortId: string; version: number },
): Promise<Board> {
  const board = await lockExistingBoard(tx, caller, shortId)
  requireVersion(board, version)
  return board
}

/** Before a change. */
export async function lockExistingBoard(tx: Tx, caller: Caller, shortId: string): Promise<Board> {
  const { organizationId } = caller
  const board = shortIdPattern.test(shortId) ? await lockBoard(tx, { organizationId, shortId }) : undefined
  if (!board) throw noSuchBoard(shortId)
  requireFolderEdit(caller, board.folderId)
  return board
}

export function requireVersion(board: Board, version: number): void {
  if (board.version !== version) throw versionConflict('board', board.version)
}

function edited(deps: BoardsDeps, before: BoardContent, edit: Omit<BoardEdit, 'folderId'>): BoardContent {
  const { title, description, parameters, tabs, tiles } = edit
  return {
    title: title === undefined ? before.title : title.trim(),
    description: description === undefined ? before.description : description?.trim() || null,
    parameters: parameters ?? before.parameters,
    tabs: tabs ?? before.tabs,
    tiles: tiles?.map((tile) => Object.assign({}, tile, { id: tile.id ?? newId(deps.random, 'tile') })) ?? before.tiles,
  }
}

export const contentOf = ({ title, description, parameters, tabs, tiles }: BoardContent): BoardContent => ({
  title,
  description,
  parameters,
  tabs,
  tiles,
})

/**
 * What the tiles may refer to: what exists, and what they referred to before. So a board with a deleted query can still be changed.
 */
async function readKnownParts(
  tx: Tx,
  { organizationId }: Caller,
  content: BoardContent,
  before?: BoardContent,
): Promise<KnownParts> {
  const old = partsOf(before?.tiles ?? [])
  const wanted = partsOf(content.tiles)
  const missing = (part: keyof typeof wanted) => [...wanted[part]].filter((id) => !old[part].has(id))
  const references = await readTileQueries(tx, { organizationId, shortIds: missing('referenceShortIds').filter(isShortId) })
  const images = await findBoardImageIds(tx, { organizationId, imageIds: missing('imageIds') })
  const boards = await findBoardShortIds(tx, { organizationId, shortIds: missing('boardShortIds').filter(isShortId) })
  return {
    referenceShortIds: new Set([...old.referenceShortIds, ...references.keys()]),
    imageIds: new Set([...old.imageIds, ...images]),
    boardShortIds: new Set([...old.boardShortIds, ...boards]),
  }
}

const isShortId = (text: string) => shortIdPattern.test(text)

const partsOf = (tiles: Tile[]) => ({
  referenceShortIds: new Set(shortIdsOf(tiles)),
  imageIds: new Set(tiles.flatMap(({ imageId }) => imageId ?? [])),
  boardShortIds: new Set(tiles.flatMap(({ opens }) => opens?.boardShortId ?? [])),
})

export const shortIdsOf = (tiles: Tile[]): string[] => [...new Set(tiles.flatMap(({ referenceShortId }) => referenceShortId ?? []))]

const subjectOf = ({ shortId, title }: { shortId: string; title: string }) => ({ type: 'board', id: shortId, name: title }) as const

/** For the audit log. The tiles are in the version that the record names. */
const auditFields = (board: BoardContent & { folderId: string | null }) => ({
  title: board.title,
  description: board.description,
  folderId: board.folderId,
  parameters: board.parameters.map(({ name }) => name),
  tabs: board.tabs.map((tab) => tab.title),
  tileCount: board.tiles.length,
})

export const noSuchBoard = (shortId: string) =>
  new Refusal('board_not_found', `There is no board ${JSON.stringify(shortId)}. It may have been deleted.`)
