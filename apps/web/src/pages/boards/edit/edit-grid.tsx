import type { ReactNode } from 'react'
import { GridLayout, type Layout, useContainerWidth } from 'react-grid-layout'
import type { Tile } from '../../../api/boards.ts'
import { columnCount, compact, withPlaces } from '../content/layout.ts'
import { gap, rowHeight } from '../view/grid-sizes.ts'
import './edit-grid.css'

const gridConfig = { cols: columnCount, rowHeight, margin: [gap, gap] as const, containerPadding: [0, 0] as const }
const dragConfig = { handle: '.tile-handle' }
const resizeConfig = { handles: ['se', 'e', 's'] as const }

/** The grid while it is edited: tiles are moved and resized with the mouse. */
export function EditGrid(props: { tiles: Tile[]; onChange(tiles: Tile[]): void; children(tile: Tile): ReactNode }) {
  const { tiles } = props
  const { width, containerRef, mounted } = useContainerWidth()
  const takeOver = (layout: Layout) =>
    props.onChange(withPlaces(tiles, layout.map(({ i, x, y, w, h }) => ({ id: i, x, y, width: w, height: h }))))
  return (
    <div ref={containerRef}>
      {mounted && (
        <GridLayout
          width={width}
          gridConfig={gridConfig}
          dragConfig={dragConfig}
          resizeConfig={resizeConfig}
          layout={compact(tiles).map(({ id, x, y, width: w, height: h }) => ({ i: id, x, y, w, h }))}
          onDragStop={takeOver}
          onResizeStop={takeOver}
        >
          {compact(tiles).map((tile) => <div key={tile.id}>{props.children(tile)}</div>)}
        </GridLayout>
      )}
    </div>
  )
}
