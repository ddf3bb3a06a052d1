/** Lists come in pages: which one, and how long. */
export interface PageOptions {
  cursor?: string | undefined
  limit?: number
  signal?: AbortSignal
}
