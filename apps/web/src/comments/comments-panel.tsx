import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, CheckCheck, MessageSquare, MessageSquarePlus } from 'lucide-react'
import { useState } from 'react'
import { commentsKey, startThread, type ThreadList, threadOptions, threadsOptions } from '../api/comments.ts'
import { ApiError } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Pager } from '../ui/pager.tsx'
import { Anchor } from './anchor.tsx'
import { CommentForm } from './comment-form.tsx'
import { type CommentAnchor, useComments } from './comments-context.ts'
import { ThreadCard } from './thread-card.tsx'

type Filter = ThreadList['show']

/** The threads of the page's query or board, newest first, and the form for a new one. */
export function CommentsPanel() {
  const comments = useComments()!
  const { view, show } = comments
  const [filter, setFilter] = useState<Filter>('open')
  const isAll = view.threadId === undefined && view.tileId === undefined
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {!isAll && (
        <Button kind="ghost" size="small" icon={<ArrowLeft />} className="justify-self-start" onClick={() => show({})}>All comments</Button>
      )}
      {view.threadId === undefined ? (
        <>
          {view.tileId !== undefined && <Anchor anchor={{ tileId: view.tileId }} />}
          <NewThread />
          <FilterButtons filter={filter} onChange={setFilter} />
          <Threads list={{ show: filter, tileId: view.tileId }} />
        </>
      ) : (
        <LinkedThread threadId={view.threadId} />
      )}
    </div>
  )
}

/** A button until somebody writes, so that opening the panel on a phone doesn't open the keyboard. */
function NewThread() {
  const { item, view, writing, write, stopWriting, show } = useComments()!
  const client = useQueryClient()
  if (!writing) {
    return (
      <Button icon={<MessageSquarePlus />} className="justify-self-start" onClick={() => write(view.tileId === undefined ? {} : { tileId: view.tileId })}>
        Add comment
      </Button>
    )
  }
  const { anchor } = writing
  const hasOwnAnchor = anchor.point !== undefined || (anchor.tileId !== undefined && anchor.tileId !== view.tileId)
  return (
    <div className="grid gap-2 rounded-md border border-line bg-paper p-3">
      {hasOwnAnchor && <Anchor anchor={anchor} />}
      <CommentForm
        key={keyOf(anchor)}
        label="New comment"
        submitLabel="Comment"
        onSubmit={async (text) => {
          await startThread(item, { text, ...anchor })
          stopWriting()
          if (anchor.tileId !== view.tileId) show({})
          await client.invalidateQueries({ queryKey: commentsKey })
        }}
        onCancel={stopWriting}
      />
    </div>
  )
}

/** Another anchor gets another form, which takes the focus. */
const keyOf = (anchor: CommentAnchor) => JSON.stringify(anchor)

function FilterButtons({ filter, onChange }: { filter: Filter; onChange(filter: Filter): void }) {
  const { counts, view } = useComments()!
  const labels: Record<Filter, string> = { open: 'Open', resolved: 'Resolved' }
  const countOf = (each: Filter) => (each === 'open' ? counts?.openCount : counts?.resolvedCount)
  // Counts are for the whole page; a tile has its own.
  const hasCounts = view.tileId === undefined && counts !== undefined
  return (
    <div role="group" aria-label="Show comments" className="flex gap-1">
      {(['open', 'resolved'] as const).map((each) => (
        <Button key={each} kind="ghost" size="small" aria-pressed={filter === each} className={filter === each ? 'bg-raised text-ink' : ''} onClick={() => onChange(each)}>
          {labels[each]}
          {hasCounts && <span className="tabular-nums">{countOf(each)}</span>}
        </Button>
      ))}
    </div>
  )
}

function Threads({ list }: { list: ThreadList }) {
  const { item } = useComments()!
  const query = useInfiniteQuery(threadsOptions(item, list))
  return (
    <>
      <Loaded query={query}>
        {(threads) =>
          threads.length === 0 ? (
            <NoThreads filter={list.show} />
          ) : (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-label="Threads">
              {threads.map((thread) => (
                <li key={thread.id}><ThreadCard thread={thread} hasAnchor={thread.tileId !== list.tileId || thread.point !== null} /></li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Pager query={query} />
    </>
  )
}

function NoThreads({ filter }: { filter: Filter }) {
  if (filter === 'resolved') {
    return (
      <EmptyState title="No resolved comments" icon={<CheckCheck />}>
        <p>Threads that somebody has resolved appear here.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No open comments" icon={<MessageSquare />}>
      <p>Ask a question or explain what changed. Write @ and a name to notify somebody.</p>
    </EmptyState>
  )
}

/** The thread that a link or a notification leads to. */
function LinkedThread({ threadId }: { threadId: string }) {
  const query = useQuery(threadOptions(threadId))
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <EmptyState title="Comment not found" icon={<MessageSquare />}>
        <p>It may have been deleted.</p>
      </EmptyState>
    )
  }
  return <Loaded query={query}>{(thread) => <ThreadCard thread={thread} hasAnchor />}</Loaded>
}
