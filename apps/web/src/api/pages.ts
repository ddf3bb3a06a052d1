/** Which page of a list to load, and how long it is. */
export interface PageOptions {
  cursor?: string | undefined
  limit?: number
  signal?: AbortSignal
}
