import type { BoardContent, Tile } from '../content/board-content.ts'
import { tileName } from '../content/describe-changes.ts'

/** The content of a board as text with one line for each setting, to compare two states of it. */
export function boardText(board: Omit<BoardContent, 'folderId'>, titleOf: (referenceShortId: string) => string | undefined): string {
  const tabTitles = new Map(board.tabs.map(({ id, title }) => [id, title]))
  const lines = [
    `Title: ${board.title}`,
    ...(board.description ? [`Description: ${board.description}`] : []),
    ...board.tabs.map(({ title }) => `Tab: ${title}`),
    ...board.parameters.map(({ name, displayName, ...parameter }) => `Parameter ${displayName || name}: ${settings(parameter)}`),
    ...board.tiles.map((tile) => `${tileName(tile, titleOf)}: ${placeOf(tile, tabTitles)}${contentOf(tile)}`),
  ]
  return lines.join('\n')
}

const placeOf = ({ x, y, width, height, tabId }: Tile, tabTitles: ReadonlyMap<string, string>): string => {
  const tab = tabId === undefined ? undefined : tabTitles.get(tabId)
  return `column ${x + 1}, row ${y + 1}, ${width} × ${height}${tab === undefined ? '' : `, tab ${tab}`}`
}

function contentOf(tile: Tile): string {
  const { id: _id, kind: _kind, x: _x, y: _y, width: _width, height: _height, tabId: _tab, referenceShortId: _reference, ...rest } = tile
  const text = settings(rest)
  return text === '' ? '' : `; ${text}`
}

/** Settings that have a value, as `name: value`. */
function settings(values: object): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
