import { useEffect, useEffectEvent, useRef } from 'react'
import { messageOf } from '../api/request.ts'
import { Button } from './button.tsx'
import { Problem } from './notice.tsx'

/** The subset of an infinite query that is needed. */
interface MorePages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: unknown
  fetchNextPage(): unknown
}

/** Below a list: the way to more of it. It is followed by itself when it comes into view, and by its button. */
export function Pager({ query }: { query: MorePages }) {
  const mark = useRef<HTMLDivElement>(null)
  const goOn = useEffectEvent(() => {
    if (query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError) query.fetchNextPage()
  })
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) goOn()
    }, { rootMargin: '200px' })
    if (mark.current) observer.observe(mark.current)
    return () => observer.disconnect()
  }, [query.hasNextPage])
  if (!query.hasNextPage) return null
  return (
    <div ref={mark} className="my-4 grid justify-items-center gap-2">
      {query.isFetchNextPageError && <Problem message={messageOf(query.error)} />}
      <Button onClick={() => query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
        {query.isFetchingNextPage ? 'Loading …' : 'Load more'}
      </Button>
    </div>
  )
}
