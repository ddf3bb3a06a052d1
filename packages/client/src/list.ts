import type { CallOptions } from './transport.ts'

export interface Page<Item> {
  items: Item[]
  /** Absent on the last page. */
  nextCursor?: string
}

export interface ListOptions extends CallOptions {
  /** The maximum number of items per page: 1 to 100, 20 by default. Does not limit the total. */
  limit?: number | undefined
  /** Where to continue: a page's `nextCursor`, valid for up to 24 hours. */
  cursor?: string | undefined
}

/** All items of a list, as of its first page. Pages are fetched one by one, each when its first item is needed. */
export interface List<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item>>
}

/** Every iteration is a new sequence with its own first page. `timeoutMs` applies to each page. */
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
