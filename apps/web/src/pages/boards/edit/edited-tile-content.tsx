import type { ReferenceSummary, Tile, TileResult } from '../../../api/boards.ts'
import { OtherTile } from '../view/other-tiles.tsx'
import { ReferenceTile } from '../view/reference-tile.tsx'
import { useTilePreview } from './use-tile-preview.ts'

/** The content of a tile that is being edited. */
export function EditedTileContent(props: { tile: Tile; reference: ReferenceSummary | undefined; saved: TileResult | undefined }) {
  const { tile, reference } = props
  const result = useTilePreview(tile, reference, props.saved)
  if (tile.kind !== 'reference') return <OtherTile tile={tile} />
  // The buttons of the editor take the place of the menu.
  return <ReferenceTile tile={tile} reference={reference} result={result} actions={<span className="w-14" />} />
}
