import type { CallOptions } from './transport.ts'

export interface Page<Item> {
  items: Item[]
  /** Absent on the last page. */
  nextCursor?: string
}

export interface ListOptions extends CallOptions {
  /** How many items a page has at most: 1 to 100, 20 by default. Not how many items there will be. */
  limit?: number | undefined
  /** Where to go on: a page's `nextCursor`, kept for up to 24 hours. */
  cursor?: string | undefined
}

/**
 * All items of a list, as it was at the first page. Pages are fetched one by one, each when its first item is wanted.
 */
export interface List<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item>>
}

/** Every iteration is a sequence of its own, with a first page of its own. `timeoutMs` is each page's. */
export function makeList<Item>(options: {
  given: ListOptions
  fetchPage(query: { limit?: number; cursor?: string }, options: CallOptions): Promise<Page<Item>>
}): List<Item> {
  const { limit, cursor: start, signal, timeoutMs } = options.given

  async function* pages(): AsyncGenerator<Page<Item>> {
    for (let cursor = start; ; ) {
      signal?.throwIfAborted()
      const query = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) }
      const page = await options.fetchPage(query, { signal, timeoutMs })
      yield page
      cursor = page.nextCursor
      if (cursor === undefined) return
    }
  }

  async function* items(): AsyncGenerator<Item> {
    for await (const page of pages()) {
      for (const item of page.items) {
        signal?.throwIfAborted()
        yield item
      }
    }
  }

  return { pages, [Symbol.asyncIterator]: items }
}
