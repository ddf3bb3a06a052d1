import { boardLimits, type Tile } from '../../../model/board.ts'

/** A tile without a place. */
export type UnplacedTile = Omit<Tile, 'x' | 'y'>

/** Places tiles in their order, from left to right: a tile that does not fit into its row begins the next one. */
export function layOut(tiles: UnplacedTile[]): Tile[] {
  let [x, y, rowHeight] = [0, 0, 0]
  return tiles.map((tile) => {
    if (x + tile.width > boardLimits.columns) {
      y += rowHeight
      x = 0
      rowHeight = 0
    }
    const placed = { ...tile, x, y }
    x += tile.width
    rowHeight = Math.max(rowHeight, tile.height)
    return placed
  })
}
