import { useState } from 'react'
import { joinPages, type Page, type PageOptions } from './pages.ts'
import { messageOf } from './request.ts'
import { type Loaded, useLoaded } from './use-loaded.ts'

/**
 * A list as a page shows it: its beginning, and more of it on demand. `reload` asks for the beginning anew and keeps
 * what was loaded below it; `startOver` forgets that too.
 */
export interface Pages<Item> {
  loaded: Loaded<Item[]>
  more: { isThere: boolean; isLoading: boolean; message: string | undefined; load(): void }
  reload(): void
  startOver(): void
}

export function usePages<Item>(
  key: string,
  load: (options: PageOptions) => Promise<Page<Item>>,
  identify: (item: Item) => string,
): Pages<Item> {
  const { loaded: first, reload } = useLoaded(key, (signal) => load({ signal }))
  const [later, setLater] = useState<{ key: string; page: Page<Item> }>()
  const [isLoading, setIsLoading] = useState(false)
  const [message, setMessage] = useState<string>()
  const beyond = later?.key === key ? later.page : undefined
  const items = first.status === 'ready' ? joinPages(first.value.items, beyond?.items ?? [], identify) : []
  const nextCursor = beyond ? beyond.nextCursor : first.status === 'ready' ? first.value.nextCursor : undefined

  async function loadMore() {
    if (nextCursor === undefined) return
    setIsLoading(true)
    setMessage(undefined)
    try {
      const next = await load({ cursor: nextCursor })
      setLater({ key, page: { ...next, items: [...items, ...next.items] } })
    } catch (error) {
      setMessage(messageOf(error))
    } finally {
      setIsLoading(false)
    }
  }

  return {
    loaded: first.status === 'ready' ? { status: 'ready', value: items } : first,
    more: { isThere: nextCursor !== undefined, isLoading, message, load: () => void loadMore() },
    reload,
    startOver() {
      setLater(undefined)
      reload()
    },
  }
}
