import type { ParameterDefinition } from '../../../api/references.ts'
import { compact, findRoom, type Placed, type Size } from './layout.ts'

/** What an editor of a board changes, and what is saved as a whole. */
export interface BoardContent {
  title: string
  description: string | null
  folderId: string | null
  parameters: ParameterDefinition[]
  tabs: Tab[]
  tiles: Tile[]
}

export interface Tab {
  id: string
  title: string
}

export interface Tile extends Placed {
  kind: 'reference' | 'text' | 'heading' | 'image'
  referenceShortId?: string
  text?: string
  title?: string
  shows?: 'chart' | 'table'
  imageId?: string
  tabId?: string
  parameterMapping?: Record<string, string>
  opens?: { boardShortId: string; parameter: string; column: string }
  filters?: { column: string; parameter: string }
}

export const emptyBoard: BoardContent = { title: 'New board', description: null, folderId: null, parameters: [], tabs: [], tiles: [] }

export const maxTiles = 100
export const maxTabs = 20
export const maxParameters = 20

/** The size of a new tile. A number needs less room than a chart, and a table more. */
export function initialSize(tile: Pick<Tile, 'kind' | 'shows'>, visualizationType?: string): Size {
  if (tile.kind === 'heading') return { width: 12, height: 1 }
  if (tile.kind === 'text') return { width: 4, height: 3 }
  if (tile.kind === 'image') return { width: 4, height: 4 }
  if (tile.shows !== 'table' && visualizationType === 'number') return { width: 3, height: 2 }
  if (tile.shows === 'table' || visualizationType === undefined || visualizationType === 'table') return { width: 6, height: 5 }
  return { width: 6, height: 4 }
}

/** The tiles of a tab. A tile without a known tab is on the first one. */
export function tilesOnTab(content: Pick<BoardContent, 'tabs' | 'tiles'>, tabId: string | undefined): Tile[] {
  const { tabs, tiles } = content
  if (tabs.length === 0) return tiles
  return tiles.filter((tile) => tabOf(tabs, tile) === tabId)
}

export function tabOf(tabs: readonly Tab[], tile: Pick<Tile, 'tabId'>): string | undefined {
  return tabs.find(({ id }) => id === tile.tabId)?.id ?? tabs[0]?.id
}

/** Replaces the tiles of one tab and keeps the others. */
export function withTilesOnTab(content: BoardContent, tabId: string | undefined, change: (tiles: Tile[]) => Tile[]): BoardContent {
  const onTab = tilesOnTab(content, tabId)
  const ids = new Set(onTab.map(({ id }) => id))
  const changed = new Map(change(onTab).map((tile) => [tile.id, tile]))
  const kept = content.tiles.flatMap((tile) => (ids.has(tile.id) ? (changed.get(tile.id) ?? []) : tile))
  const keptIds = new Set(kept.map(({ id }) => id))
  return { ...content, tiles: [...kept, ...[...changed.values()].filter(({ id }) => !keptIds.has(id))] }
}

/** Adds a tile in the first free room of a tab. */
export function addTile(content: BoardContent, tile: Omit<Tile, 'x' | 'y' | 'width' | 'height'>, tabId: string | undefined, size: Size): BoardContent {
  const room = findRoom(tilesOnTab(content, tabId), size)
  return { ...content, tiles: [...content.tiles, onTab({ ...tile, ...room }, tabId)] }
}

export function duplicateTile(content: BoardContent, id: string, newId: string): BoardContent {
  const tile = content.tiles.find((other) => other.id === id)
  if (!tile) return content
  return addTile(content, { ...tile, id: newId }, tabOf(content.tabs, tile), tile)
}

export function removeTile(content: BoardContent, id: string): BoardContent {
  const tile = content.tiles.find((other) => other.id === id)
  if (!tile) return content
  return withTilesOnTab(content, tabOf(content.tabs, tile), (tiles) => compact(tiles.filter((other) => other.id !== id)))
}

export function changeTile(content: BoardContent, changed: Tile): BoardContent {
  return { ...content, tiles: content.tiles.map((tile) => (tile.id === changed.id ? changed : tile)) }
}

/** Moves a tile into the first free room of another tab. */
export function moveToTab(content: BoardContent, id: string, tabId: string): BoardContent {
  const tile = content.tiles.find((other) => other.id === id)
  if (!tile || tabOf(content.tabs, tile) === tabId) return content
  return addTile(removeTile(content, id), tile, tabId, tile)
}

/** Adds a tab. The first one added makes two, because the existing tiles need a tab as well. */
export function addTab(content: BoardContent, newIds: [string, string]): BoardContent {
  const { tabs, tiles } = content
  if (tabs.length > 0) return { ...content, tabs: [...tabs, { id: newIds[0], title: `Tab ${tabs.length + 1}` }] }
  const first = { id: newIds[0], title: 'Tab 1' }
  return { ...content, tabs: [first, { id: newIds[1], title: 'Tab 2' }], tiles: tiles.map((tile) => onTab(tile, first.id)) }
}

export function renameTab(content: BoardContent, id: string, title: string): BoardContent {
  return { ...content, tabs: content.tabs.map((tab) => (tab.id === id ? { ...tab, title } : tab)) }
}

/** Moves a tab one place to the left or right. Tiles without a tab stay on the tab that was first. */
export function reorderTab(content: BoardContent, id: string, by: -1 | 1): BoardContent {
  const { tabs } = content
  const at = tabs.findIndex((tab) => tab.id === id)
  const [tab, other] = [tabs[at], tabs[at + by]]
  if (!tab || !other) return content
  const tiles = content.tiles.map((tile) => onTab(tile, tabOf(tabs, tile)))
  return { ...content, tiles, tabs: tabs.with(at, other).with(at + by, tab) }
}

/** Removes a tab. Its tiles move below those of the tab before it, or of the next one. */
export function removeTab(content: BoardContent, id: string): BoardContent {
  const { tabs, tiles } = content
  const at = tabs.findIndex((tab) => tab.id === id)
  if (at === -1) return content
  const rest = tabs.toSpliced(at, 1)
  const target = tabs[at === 0 ? 1 : at - 1]?.id
  const moved = tilesOnTab(content, id)
  const kept = tiles.filter((tile) => !moved.includes(tile)).map((tile) => onTab(tile, tabOf(tabs, tile)))
  const bottom = Math.max(0, ...kept.filter((tile) => tile.tabId === target).map(({ y, height }) => y + height))
  return { ...content, tabs: rest, tiles: [...kept, ...moved.map((tile) => onTab({ ...tile, y: tile.y + bottom }, target))] }
}

function onTab(tile: Tile, tabId: string | undefined): Tile {
  const { tabId: _, ...rest } = tile
  return tabId === undefined ? rest : { ...rest, tabId }
}

/** The tiles that a parameter of the board gives a value to. */
export const tilesWith = (tiles: readonly Tile[], parameter: string) =>
  tiles.filter(({ parameterMapping }) => Object.values(parameterMapping ?? {}).includes(parameter))

/** Maps a parameter of the board to the parameters of the same name. */
export function mapByName<Given extends Pick<Tile, 'parameterMapping'>>(tile: Given, own: readonly { name: string }[], parameters: readonly { name: string }[]): Given {
  const names = own.map(({ name }) => name).filter((name) => parameters.some((parameter) => parameter.name === name))
  if (names.length === 0) return tile
  return { ...tile, parameterMapping: { ...Object.fromEntries(names.map((name) => [name, name])), ...tile.parameterMapping } }
}

/** Changes a parameter, and with its name everything that refers to it. */
export function changeParameter(content: BoardContent, name: string, changed: ParameterDefinition): BoardContent {
  const parameters = content.parameters.map((parameter) => (parameter.name === name ? changed : parameter))
  const rename = (other: string) => (other === name ? changed.name : other)
  return { ...content, parameters, tiles: content.tiles.map((tile) => withReferences(tile, rename)) }
}

export function removeParameter(content: BoardContent, name: string): BoardContent {
  return {
    ...content,
    parameters: content.parameters.filter((parameter) => parameter.name !== name),
    tiles: content.tiles.map((tile) => withReferences(tile, (other) => (other === name ? undefined : other))),
  }
}

function withReferences(tile: Tile, rename: (parameter: string) => string | undefined): Tile {
  const { parameterMapping, filters, ...rest } = tile
  const mapping = Object.entries(parameterMapping ?? {}).flatMap(([own, parameter]) => {
    const renamed = rename(parameter)
    return renamed === undefined ? [] : [[own, renamed] as const]
  })
  const filtered = filters && rename(filters.parameter)
  return {
    ...rest,
    ...(mapping.length > 0 && { parameterMapping: Object.fromEntries(mapping) }),
    ...(filters && filtered !== undefined && { filters: { ...filters, parameter: filtered } }),
  }
}

/** What people call a tile; undefined if the board has no such tile. */
export function titleOfTile(
  board: { tiles: readonly Tile[]; references: readonly { shortId: string; title: string }[] },
  id: string,
): string | undefined {
  const tile = board.tiles.find((other) => other.id === id)
  if (!tile) return undefined
  if (tile.kind !== 'reference') return tile.text || 'Image'
  return tile.title || board.references.find(({ shortId }) => shortId === tile.referenceShortId)?.title || 'Deleted query'
}
