import type { Tile } from '../content/board-content.ts'

/** What a click on a tile's chart does, as fields of a form. Unfinished choices are empty. */
export interface Click {
  does: 'rows' | 'filter' | 'open'
  column: string
  parameter: string
  boardShortId: string
}

export function clickOf({ filters, opens }: Tile): Click {
  const none = { column: '', parameter: '', boardShortId: '' }
  if (filters) return { ...none, does: 'filter', ...filters }
  if (opens) return { ...none, does: 'open', ...opens }
  return { ...none, does: 'rows' }
}

/** Until all fields are chosen, a click shows the rows. */
export function withClick(tile: Tile, { does, column, parameter, boardShortId }: Click): Tile {
  const { filters: _filters, opens: _opens, ...rest } = tile
  if (column === '' || parameter === '') return rest
  if (does === 'filter') return { ...rest, filters: { column, parameter } }
  if (does === 'open' && boardShortId !== '') return { ...rest, opens: { boardShortId, parameter, column } }
  return rest
}
