import type { ReactNode } from 'react'
import type { Tile } from '../../../api/boards.ts'
import { useIsNarrow } from '../../../ui/use-is-narrow.ts'
import { columnCount, compact, inReadingOrder } from '../content/layout.ts'
import { gap, heightOfRows, rowHeight } from './grid-sizes.ts'

/** Charts and tables need some height to be readable in the width of a phone. */
const minRowsOnPhone = 4
const maxRowsOfNumber = 3

/** What the grid needs to know of a tile. */
type GridTile = Pick<Tile, 'id' | 'kind' | 'x' | 'y' | 'width' | 'height'>

/** The tiles on 12 columns or, on a phone, in one column in reading order. */
export function TileGrid<Shown extends GridTile>(props: {
  tiles: Shown[]
  /** Whether a tile shows a single number, which needs little room. */
  isNumber(tile: Shown): boolean
  children(tile: Shown): ReactNode
}) {
  const { tiles, isNumber, children } = props
  const isNarrow = useIsNarrow()
  if (isNarrow) {
    return (
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-label="Tiles">
        {inReadingOrder(tiles).map((tile) => (
          <li key={tile.id} className="min-w-0" style={phoneHeight(tile, isNumber(tile))}>{children(tile)}</li>
        ))}
      </ul>
    )
  }
  return (
    <ul
      className="grid"
      aria-label="Tiles"
      style={{ gap, gridAutoRows: rowHeight, gridTemplateColumns: `repeat(${columnCount}, minmax(0, 1fr))` }}
    >
      {compact(tiles).map((tile) => {
        const { id, x, y, width, height } = tile
        return (
          <li key={id} className="min-w-0" style={{ gridColumn: `${x + 1} / span ${width}`, gridRow: `${y + 1} / span ${height}` }}>
            {children(tile)}
          </li>
        )
      })}
    </ul>
  )
}

/** Text is as high as it needs to be; results keep their height, so that nothing jumps when they load. */
export function phoneHeight({ kind, height }: Pick<Tile, 'kind' | 'height'>, isNumber: boolean): { height?: number } {
  if (kind === 'text' || kind === 'heading') return {}
  if (isNumber) return { height: heightOfRows(Math.min(height, maxRowsOfNumber)) }
  const isSmall = height <= 2
  return { height: heightOfRows(isSmall ? height : Math.max(height, minRowsOnPhone)) }
}
