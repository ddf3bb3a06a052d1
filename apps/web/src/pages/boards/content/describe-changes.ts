import type { BoardContent, Tile } from './board-content.ts'

type Described = Omit<BoardContent, 'folderId'> & { folderId?: string | null }
type TitleOf = (referenceShortId: string) => string | undefined

/** What changed between two states of a board, in short sentences. An empty list means that they are the same. */
export function describeChanges(before: Described, after: Described, titleOf: TitleOf): string[] {
  const changes: string[] = []
  if (before.title !== after.title) changes.push(`Renamed from “${before.title}” to “${after.title}”`)
  if ((before.description ?? '') !== (after.description ?? '')) changes.push('Changed the description')
  if (before.folderId !== undefined && after.folderId !== undefined && before.folderId !== after.folderId) changes.push('Moved to another folder')
  changes.push(...describeTabs(before, after), ...describeParameters(before, after), ...describeTiles(before.tiles, after.tiles, titleOf))
  return changes
}

/** The name of a tile in sentences and for screen readers. */
export function tileName(tile: Tile, titleOf: TitleOf): string {
  if (tile.kind === 'reference') return tile.title || (tile.referenceShortId && titleOf(tile.referenceShortId)) || 'Query'
  const words = tile.title || tile.text?.trim().split('\n', 1)[0]?.replace(/^#+\s*/, '') || ''
  const short = words.length > 40 ? `${words.slice(0, 39)}…` : words
  return short || { text: 'Text', heading: 'Heading', image: 'Image' }[tile.kind]
}

function describeTabs({ tabs: before }: Described, { tabs: after }: Described): string[] {
  const beforeById = new Map(before.map((tab) => [tab.id, tab]))
  const afterIds = new Set(after.map(({ id }) => id))
  const added = after.filter(({ id }) => !beforeById.has(id)).map(({ title }) => `Added the tab “${title}”`)
  const removed = before.filter(({ id }) => !afterIds.has(id)).map(({ title }) => `Removed the tab “${title}”`)
  const renamed = after.flatMap(({ id, title }) => {
    const old = beforeById.get(id)
    return old && old.title !== title ? [`Renamed the tab “${old.title}” to “${title}”`] : []
  })
  const keptBefore = before.filter(({ id }) => afterIds.has(id)).map(({ id }) => id)
  const keptAfter = after.filter(({ id }) => beforeById.has(id)).map(({ id }) => id)
  const isReordered = keptBefore.join() !== keptAfter.join()
  return [...added, ...removed, ...renamed, ...(isReordered ? ['Reordered the tabs'] : [])]
}

function describeParameters({ parameters: before }: Described, { parameters: after }: Described): string[] {
  const labels = (those: Described['parameters']) => those.map((parameter) => `“${parameter.displayName || parameter.name}”`)
  const isIn = (those: Described['parameters']) => (parameter: { name: string }) => those.some(({ name }) => name === parameter.name)
  const changed = after.filter((parameter) => {
    const old = before.find(({ name }) => name === parameter.name)
    return old && !areEqual(old, parameter)
  })
  return [
    ...labels(after.filter((parameter) => !isIn(before)(parameter))).map((label) => `Added the parameter ${label}`),
    ...labels(before.filter((parameter) => !isIn(after)(parameter))).map((label) => `Removed the parameter ${label}`),
    ...labels(changed).map((label) => `Changed the parameter ${label}`),
  ]
}

function describeTiles(before: readonly Tile[], after: readonly Tile[], titleOf: TitleOf): string[] {
  const beforeById = new Map(before.map((tile) => [tile.id, tile]))
  const afterIds = new Set(after.map(({ id }) => id))
  const kept = after.flatMap((tile) => {
    const old = beforeById.get(tile.id)
    return old ? [{ old, tile }] : []
  })
  const changed = kept.filter(({ old, tile }) => !areEqual(withoutPlace(old), withoutPlace(tile))).map(({ tile }) => tile)
  const moved = kept.filter(({ old, tile }) => !areEqual(placeOf(old), placeOf(tile))).length
  const name = (tile: Tile) => `“${tileName(tile, titleOf)}”`
  return [
    ...after.filter(({ id }) => !beforeById.has(id)).map((tile) => `Added ${name(tile)}`),
    ...before.filter(({ id }) => !afterIds.has(id)).map((tile) => `Removed ${name(tile)}`),
    ...changed.map((tile) => `Changed ${name(tile)}`),
    ...(moved > 0 ? [`Moved or resized ${moved} ${moved === 1 ? 'tile' : 'tiles'}`] : []),
  ]
}

const placeOf = ({ x, y, width, height, tabId }: Tile) => ({ x, y, width, height, tabId })

function withoutPlace(tile: Tile): object {
  const { x: _x, y: _y, width: _width, height: _height, tabId: _tabId, ...rest } = tile
  return rest
}

/** Compares JSON values, whatever the order of their properties. Undefined properties count as missing. */
export function areEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => areEqual((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]))
}
