import { useEffect, useEffectEvent, useRef } from 'react'
import { messageOf } from '../api/request.ts'
import { Button } from './button.tsx'
import { Problem } from './notice.tsx'

/** The subset of an infinite query that the pager needs. */
interface MorePages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: unknown
  fetchNextPage(): unknown
}

/** Loads the next page of a list when it scrolls into view, or with its button. */
export function Pager({ query }: { query: MorePages }) {
  const mark = useRef<HTMLDivElement>(null)
  const loadMore = useEffectEvent(() => {
    if (query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError) query.fetchNextPage()
  })
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) loadMore()
    }, { rootMargin: '200px' })
    if (mark.current) observer.observe(mark.current)
    return () => observer.disconnect()
    // A new observer says whether the mark is in view. The one before doesn't notice that it left and came back between two frames.
  }, [query.hasNextPage, query.isFetchingNextPage])
  if (!query.hasNextPage) return null
  return (
    <div ref={mark} className="my-4 grid justify-items-center gap-2">
      {query.isFetchNextPageError && <Problem message={messageOf(query.error)} />}
      <Button onClick={() => query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
        {query.isFetchingNextPage ? 'Loading…' : 'Load more'}
      </Button>
    </div>
  )
}
