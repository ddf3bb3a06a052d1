/** Lists come in pages, newest first. */
export interface Page<Item> {
  items: Item[]
  /** Absent on the last page. */
  nextCursor?: string
}

export interface PageOptions {
  cursor?: string | undefined
  limit?: number
  signal?: AbortSignal
}
