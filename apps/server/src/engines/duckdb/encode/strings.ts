/**
 * Reads the strings of a vector.
 *
 * DuckDB stores a string as 16 bytes: its length, then either its bytes (up to 12) or four bytes and a *pointer*. Following a
 * pointer costs 1.4 µs (a native call and a buffer), so a million long strings would cost 1.4 s. Adjacent rows' strings
 * are usually adjacent in memory, so they are fetched together as *regions*. A region joins two strings only if every page between
 * them contains bytes of one or the other. Memory is mapped in whole pages, so a region never reads unmapped memory.
 */
import duckdb, { type Vector } from '@duckdb/node-bindings'

/** The smallest page size of any supported machine. With larger pages, fewer regions are joined than could be. */
const pageBytes = 4096
const inlineBytes = 12
const structBytes = 16

interface Region {
  start: number
  end: number
  bytes: Uint8Array
}

/** The strings of the vector loaded last. `select(row)` points `bytes`, `start` and `end` at one of them. */
export interface StringVector {
  load(vector: Vector, count: number, isValid: (row: number) => boolean): void
  select(row: number): void
  bytes: Uint8Array
  start: number
  end: number
}

const pointerBuffer = new ArrayBuffer(8)
const pointerView = new DataView(pointerBuffer)

function fetchRegion(region: Region): void {
  pointerView.setUint32(0, region.start % 0x1_0000_0000, true)
  pointerView.setUint32(4, Math.floor(region.start / 0x1_0000_0000), true)
  region.bytes = duckdb.get_data_from_pointer(pointerBuffer, 0, region.end - region.start)
}

function pageOf(address: number): number {
  return Math.floor(address / pageBytes)
}

/** Joins regions where that is safe. They come in any order, because the strings of a sorted result are scattered. */
export function joinRegions(regions: Region[]): Region[] {
  const sorted = regions.sort((a, b) => a.start - b.start)
  const joined: Region[] = []
  let last: Region | undefined
  for (const region of sorted) {
    if (last && pageOf(region.start) <= pageOf(last.end - 1) + 1) {
      if (region.end > last.end) last.end = region.end
    } else {
      joined.push(region)
      last = region
    }
  }
  return joined
}

export function stringVector(): StringVector {
  let words: Uint32Array = new Uint32Array(0)
  let inline: Uint8Array = new Uint8Array(0)
  let regions: Region[] = []
  let current: Region | undefined

  /** User-space addresses have at most 47 bits (of 57), so a JavaScript number represents them exactly. */
  const addressOf = (row: number) => words[row * 4 + 3]! * 0x1_0000_0000 + words[row * 4 + 2]!

  function find(address: number): Region {
    if (current && address >= current.start && address < current.end) return current
    let low = 0
    let high = regions.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (regions[middle]!.start <= address) low = middle
      else high = middle - 1
    }
    current = regions[low]!
    return current
  }

  const self: StringVector = {
    bytes: inline,
    start: 0,
    end: 0,
    load(vector, count, isValid) {
      inline = duckdb.vector_get_data(vector, count * structBytes)
      words = new Uint32Array(inline.buffer, inline.byteOffset, count * 4)
      regions = []
      current = undefined
      let region: Region | undefined
      for (let row = 0; row < count; row++) {
        const size = words[row * 4]!
        if (size <= inlineBytes || !isValid(row)) continue
        const start = addressOf(row)
        if (region && start >= region.start && pageOf(start) <= pageOf(region.end - 1) + 1) {
          if (start + size > region.end) region.end = start + size
        } else {
          region = { start, end: start + size, bytes: inline }
          regions.push(region)
        }
      }
      if (regions.length > 1) regions = joinRegions(regions)
      for (const each of regions) fetchRegion(each)
    },
    select(row) {
      const size = words[row * 4]!
      if (size <= inlineBytes) {
        self.bytes = inline
        self.start = row * structBytes + 4
      } else {
        const address = addressOf(row)
        const region = find(address)
        self.bytes = region.bytes
        self.start = address - region.start
      }
      self.end = self.start + size
    },
  }
  return self
}
