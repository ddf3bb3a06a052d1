import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { digestBacktestOptions, type Schedule } from '../../api/automations.ts'
import { messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { Hint } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'

/** The summaries that the digest would have written over past results, on request. */
export function DigestBacktestPanel(props: { references: string[]; schedule: Schedule | null }) {
  const [isShown, setShown] = useState(false)
  if (!isShown) {
    return <Button className="justify-self-start" onClick={() => setShown(true)}>Preview past summaries</Button>
  }
  return (
    <section className="grid gap-3 border-t border-line pt-3" aria-label="Past summaries">
      <h3 className="font-medium">What it would have written</h3>
      <Summaries {...props} />
    </section>
  )
}

function Summaries({ references, schedule }: { references: string[]; schedule: Schedule | null }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(digestBacktestOptions(references, schedule))
  if (error) return <Hint kind="warning">{messageOf(error)}</Hint>
  if (!data) return <p className="text-soft">Reading past results…</p>
  if (data.count === 0) return <p className="text-soft">There are no kept results to summarize. They are kept from now on, each time a query runs.</p>
  return (
    <>
      <p className="text-soft">{data.count === 1 ? '1 summary' : `${data.count} summaries`} over the kept results, newest first.</p>
      <ol className="grid gap-3">
        {data.summaries.map(({ at, summary, isNotable }) => (
          <li key={at} className="grid gap-1 rounded-lg border border-line bg-paper p-3 [overflow-wrap:anywhere]">
            <p className="text-xs text-soft"><Time at={at} />{!isNotable && ' · Nothing notable'}</p>
            <Markdown text={summary} origin={window.location.origin} />
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button className="justify-self-start" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>Show earlier summaries</Button>
      )}
    </>
  )
}
