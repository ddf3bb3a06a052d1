import { sql } from 'kysely'
import type { BoardContent, BoardVersion } from '../../model/board.ts'
import type { Db, Tx } from '../db.ts'
import { maskHiddenTiles } from './mask-hidden-tiles.ts'

export interface BoardVersionInFull extends BoardVersion, BoardContent {}

interface Row extends Omit<BoardVersionInFull, 'parameters' | 'tabs' | 'tiles' | 'changedBy'> {
  content: Pick<BoardContent, 'parameters' | 'tabs' | 'tiles'>
  changedBy: string
  changedByName: string
}

/** The versions of a board before a number, newest first. */
export async function listBoardVersions(
  db: Db,
  key: { boardId: string; beforeNumber?: number; count: number },
): Promise<BoardVersion[]> {
  const { rows } = await sql<Row>`
    select ${fields}, '{}'::jsonb as content
    ${source} where version.board_id = ${key.boardId}
      ${key.beforeNumber === undefined ? sql`` : sql`and version.number < ${key.beforeNumber}`}
    order by version.number desc
    limit ${key.count}`.execute(db)
  return rows.map((row) => ({
    number: row.number,
    title: row.title,
    tileCount: row.tileCount,
    restoredNumber: row.restoredNumber,
    isDeletion: row.isDeletion,
    changedAt: row.changedAt,
    changedBy: { id: row.changedBy, name: row.changedByName },
    isCurrent: row.isCurrent,
  }))
}

export async function findBoardVersion(
  db: Db | Tx,
  /** `isWhole`: with tiles that the viewer may not see, to be stored again. */
  key: { boardId: string; number: number; isWhole?: boolean },
): Promise<BoardVersionInFull | undefined> {
  const { rows } = await sql<Row>`
    select ${fields}, version.content
    ${source} where version.board_id = ${key.boardId} and version.number = ${key.number}`.execute(db)
  const row = rows[0]
  if (!row) return undefined
  const { content, changedByName, ...version } = row
  const found = { ...version, ...content, changedBy: { id: row.changedBy, name: changedByName } }
  return key.isWhole ? found : (await maskHiddenTiles(db, [found]))[0]
}

/** The number of the version that was current at a time, or of the first one if the board was created later. */
export async function findBoardVersionNumberAt(db: Db, key: { boardId: string; at: Date }): Promise<{ number: number; isFromThen: boolean }> {
  const { rows } = await sql<{ then: number | null; first: number }>`
    select max(number) filter (where changed_at < ${new Date(key.at.getTime() + 1)}) as "then", min(number) as "first"
    from board_versions where board_id = ${key.boardId} and not is_deletion`.execute(db)
  const { then, first } = rows[0]!
  return { number: then ?? first, isFromThen: then !== null }
}

const fields = sql`version.number, version.title, version.description, jsonb_array_length(version.content -> 'tiles') as "tileCount",
  version.restored_number as "restoredNumber", version.is_deletion as "isDeletion", version.changed_at as "changedAt",
  version.changed_by as "changedBy", users.name as "changedByName", board.version = version.number as "isCurrent"`
const source = sql`from board_versions as version
  join boards as board on board.id = version.board_id
  join users on users.id = version.changed_by`
