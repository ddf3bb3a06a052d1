/** Lists come in pages, newest first. */
export interface Page<Item> {
  items: Item[]
  /** Absent on the last page. */
  nextCursor?: string
}

export interface PageOptions {
  cursor?: string
  limit?: number
  signal?: AbortSignal
}

export function pageAddress(path: string, { cursor, limit }: { cursor?: string; limit?: number }): string {
  const search = new URLSearchParams()
  if (limit !== undefined) search.set('limit', String(limit))
  if (cursor !== undefined) search.set('cursor', cursor)
  return search.size === 0 ? path : `${path}?${search}`
}
