import { isDeepStrictEqual } from 'node:util'
import type { Tile } from '../../model/board.ts'
import type { GivenTile } from '../boards/boards.ts'

type IsSame = (given: GivenTile, before: Tile) => boolean

const isEqual: IsSame = (given, { id: _, ...before }) => isDeepStrictEqual(given, before)
const showsTheSame: IsSame = (given, before) => {
  const isSameThing = given.referenceShortId === before.referenceShortId && given.imageId === before.imageId
  return given.kind === before.kind && isSameThing && (given.kind === 'reference' || given.text === before.text)
}
const hasTheSamePlace: IsSame = (given, before) =>
  given.kind === before.kind && given.tabId === before.tabId && given.x === before.x && given.y === before.y

/** Files have no ids of tiles. Each tile gets the id of the one that it replaces, so that comments on it stay. New tiles get none. */
export function keepTileIds(given: GivenTile[], before: Tile[]): GivenTile[] {
  const left = new Set(before)
  const ids = new Map<GivenTile, string>()
  for (const isSame of [isEqual, showsTheSame, hasTheSamePlace]) {
    for (const tile of given) {
      if (ids.has(tile)) continue
      const old = [...left].find((each) => isSame(tile, each))
      if (!old) continue
      ids.set(tile, old.id)
      left.delete(old)
    }
  }
  return given.map((tile) => ({ ...tile, ...(ids.has(tile) && { id: ids.get(tile)! }) }))
}
