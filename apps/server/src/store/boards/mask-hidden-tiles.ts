import { sql } from 'kysely'
import type { Tile } from '../../model/board.ts'
import { currentViewer } from '../access/viewer.ts'
import type { Db, Tx } from '../db.ts'

/** Leaves only the place of tiles whose query the viewer may not see. */
export async function maskHiddenTiles<Board extends { tiles: Tile[] }>(db: Db | Tx, boards: Board[]): Promise<Board[]> {
  if (!currentViewer()) return boards
  const seen = await readVisibleShortIds(db, boards.flatMap(({ tiles }) => tiles))
  return boards.map((board) => ({ ...board, tiles: board.tiles.map((tile) => (isHidden(tile, seen) ? mask(tile) : tile)) }))
}

/** An edit by someone who does not see all tiles keeps the content of the others. */
export async function keepHiddenTiles(db: Db | Tx, { before, after }: { before: Tile[]; after: Tile[] }): Promise<Tile[]> {
  if (!currentViewer()) return after
  const seen = await readVisibleShortIds(db, before)
  const hidden = before.filter((tile) => isHidden(tile, seen))
  return after.map((tile) => {
    // Tiles from files have no ids.
    const original = hidden.find(({ id }) => id === tile.id) ?? hidden.find(({ referenceShortId }) => referenceShortId === tile.referenceShortId)
    if (original === undefined) return tile
    const { tabId, x, y, width, height } = tile
    const { tabId: _tabId, ...rest } = original
    return { ...rest, x, y, width, height, ...(tabId !== undefined && { tabId }) }
  })
}

async function readVisibleShortIds(db: Db | Tx, tiles: Tile[]): Promise<Set<string>> {
  const shortIds = [...new Set(tiles.flatMap(({ referenceShortId }) => referenceShortId ?? []))]
  const rows = await db
    .selectFrom('query_references')
    .select('short_id')
    .where('short_id', '=', sql<string>`any(${shortIds}::text[])`)
    .execute()
  return new Set(rows.map((row) => row.short_id))
}

const isHidden = ({ referenceShortId }: Tile, seen: ReadonlySet<string>) => referenceShortId !== undefined && !seen.has(referenceShortId)

const mask = ({ id, kind, referenceShortId, tabId, x, y, width, height }: Tile): Tile => ({
  id,
  kind,
  ...(referenceShortId !== undefined && { referenceShortId }),
  ...(tabId !== undefined && { tabId }),
  x,
  y,
  width,
  height,
})
