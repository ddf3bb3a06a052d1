/**
 * The grid of a board: 12 columns, rows of a fixed height. Tiles never overlap, and each is as far up as the tiles above it allow.
 *
 * Every operation decides an *order*, and `stack` then places the tiles in this order, each right below the lowest earlier tile that
 * shares a column with it. So no operation can produce an overlap.
 */
export interface Place {
  x: number
  y: number
  width: number
  height: number
}

export interface Placed extends Place {
  id: string
}

export interface Size {
  width: number
  height: number
}

export const columnCount = 12
export const maxHeight = 100

/** From top to bottom, then from left to right. Also the order of the tiles in one column on a phone. */
export const inReadingOrder = <Tile extends Place>(tiles: readonly Tile[]): Tile[] => tiles.toSorted((a, b) => a.y - b.y || a.x - b.x)

/** Moves every tile up as far as possible. */
export const compact = <Tile extends Placed>(tiles: readonly Tile[]): Tile[] => stack(inReadingOrder(tiles))

/** Keeps a place within the columns. */
export function fit<Given extends Place>(place: Given): Given {
  const width = clamp(place.width, 1, columnCount)
  return { ...place, width, height: clamp(place.height, 1, maxHeight), x: clamp(place.x, 0, columnCount - width), y: Math.max(0, place.y) }
}

/** The first free place for a tile of this size, in reading order. */
export function findRoom(tiles: readonly Place[], size: Size): Place {
  const { width, height } = fit({ x: 0, y: 0, ...size })
  for (let y = 0; ; y++) {
    for (let x = 0; x + width <= columnCount; x++) {
      const place = { x, y, width, height }
      if (!tiles.some((tile) => overlaps(tile, place))) return place
    }
  }
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Moves a tile one column sideways, or past the next tile above or below it. */
export function moveTile<Tile extends Placed>(tiles: readonly Tile[], id: string, direction: Direction): Tile[] {
  const tile = tiles.find((other) => other.id === id)
  if (!tile) return [...tiles]
  if (direction === 'left' || direction === 'right') {
    const x = clamp(tile.x + (direction === 'left' ? -1 : 1), 0, columnCount - tile.width)
    return withTile(tiles, { ...tile, x }, tile.y)
  }
  const neighbors = inReadingOrder(tiles.filter((other) => other.id !== id && sharesColumn(other, tile)))
  const passed = direction === 'up' ? neighbors.findLast(({ y }) => y < tile.y) : neighbors.find(({ y }) => y > tile.y)
  if (!passed) return [...tiles]
  return withTile(tiles, tile, direction === 'up' ? passed.y : passed.y + 0.5)
}

/** Makes a tile one column or row larger or smaller. */
export function resizeTile<Tile extends Placed>(tiles: readonly Tile[], id: string, direction: Direction): Tile[] {
  const tile = tiles.find((other) => other.id === id)
  if (!tile) return [...tiles]
  const step = direction === 'right' || direction === 'down' ? 1 : -1
  const isWidth = direction === 'left' || direction === 'right'
  const width = isWidth ? clamp(tile.width + step, 1, columnCount - tile.x) : tile.width
  const height = isWidth ? tile.height : clamp(tile.height + step, 1, maxHeight)
  return withTile(tiles, { ...tile, width, height }, tile.y)
}

/** Exchanges a tile with the one before or after it in reading order, as the buttons on a phone do. */
export function moveInOrder<Tile extends Placed>(tiles: readonly Tile[], id: string, direction: 'up' | 'down'): Tile[] {
  const ordered = inReadingOrder(tiles)
  const at = ordered.findIndex((tile) => tile.id === id)
  const otherAt = direction === 'up' ? at - 1 : at + 1
  const [tile, other] = [ordered[at], ordered[otherAt]]
  if (!tile || !other) return [...tiles]
  const moved = fit({ ...tile, x: other.x, y: other.y })
  const displaced = fit({ ...other, x: tile.x, y: tile.y })
  return keepOrder(tiles, stack(ordered.with(otherAt, moved).with(at, displaced)))
}

/** Takes over the places that a drag with the mouse has produced. */
export function withPlaces<Tile extends Placed>(tiles: readonly Tile[], places: readonly Placed[]): Tile[] {
  const byId = new Map(places.map((place) => [place.id, place]))
  return keepOrder(
    tiles,
    compact(
      tiles.map((tile) => {
        const place = byId.get(tile.id)
        return place ? fit({ ...tile, x: place.x, y: place.y, width: place.width, height: place.height }) : tile
      }),
    ),
  )
}

/** Whether two layouts have every tile at the same place. */
export function haveSamePlaces(a: readonly Placed[], b: readonly Placed[]): boolean {
  const byId = new Map(b.map((tile) => [tile.id, tile]))
  return a.length === b.length && a.every((tile) => {
    const other = byId.get(tile.id)
    return other && other.x === tile.x && other.y === tile.y && other.width === tile.width && other.height === tile.height
  })
}

export const rowCount = (tiles: readonly Place[]) => Math.max(0, ...tiles.map(({ y, height }) => y + height))

/** Places a changed tile before the tiles that start at `y` or below, and after those that start above. */
function withTile<Tile extends Placed>(tiles: readonly Tile[], changed: Tile, y: number): Tile[] {
  const others = inReadingOrder(tiles.filter(({ id }) => id !== changed.id))
  const at = others.findIndex((tile) => tile.y >= y)
  return keepOrder(tiles, stack(others.toSpliced(at === -1 ? others.length : at, 0, changed)))
}

function stack<Tile extends Placed>(ordered: readonly Tile[]): Tile[] {
  const placed: Tile[] = []
  for (const tile of ordered) {
    const above = placed.filter((other) => sharesColumn(other, tile))
    placed.push({ ...tile, y: rowCount(above) })
  }
  return placed
}

/** The list keeps its order, so that a moved tile keeps its element and its focus. */
function keepOrder<Tile extends Placed>(tiles: readonly Tile[], placed: readonly Tile[]): Tile[] {
  const byId = new Map(placed.map((tile) => [tile.id, tile]))
  return tiles.map(({ id }) => byId.get(id)!)
}

const sharesColumn = (a: Place, b: Place) => a.x < b.x + b.width && b.x < a.x + a.width

export const overlaps = (a: Place, b: Place) => sharesColumn(a, b) && a.y < b.y + b.height && b.y < a.y + a.height

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)
