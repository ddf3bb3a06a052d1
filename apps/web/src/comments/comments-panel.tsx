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
  const { view, counts, writing, show } = useComments()!
  const [filter, setFilter] = useState<Filter>('open')
  const { tileId, threadId } = view
  const isAll = threadId === undefined && tileId === undefined
  const isEmpty = counts?.openCount === 0 && counts.resolvedCount === 0
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {!isAll && (
        <Button kind="ghost" size="small" icon={<ArrowLeft />} className="-ml-2 justify-self-start" onClick={() => show({})}>All comments</Button>
      )}
      {threadId !== undefined && <LinkedThread threadId={threadId} />}
      {threadId === undefined && (
        <>
          {tileId !== undefined && <Anchor anchor={{ tileId }} />}
          {!isEmpty && (
            <div className="flex flex-wrap items-center justify-between gap-2">
              <FilterButtons filter={filter} onChange={setFilter} />
              {!writing && <AddButton />}
            </div>
          )}
          {writing && <NewThread anchor={writing.anchor} onPosted={() => setFilter('open')} />}
          {isEmpty ? <NoComments isWriting={writing !== null} /> : <Threads list={{ show: filter, tileId }} />}
        </>
      )}
    </div>
  )
}

/** The form opens only on request, so that opening the panel on a phone doesn't open the keyboard. */
function AddButton() {
  const { view, write } = useComments()!
  return (
    <Button size="small" icon={<MessageSquarePlus />} onClick={() => write(view.tileId === undefined ? {} : { tileId: view.tileId })}>
      Add comment
    </Button>
  )
}

function NewThread({ anchor, onPosted }: { anchor: CommentAnchor; onPosted(): void }) {
  const { item, view, stopWriting } = useComments()!
  const client = useQueryClient()
  const hasOwnAnchor = anchor.point !== undefined || (anchor.tileId !== undefined && anchor.tileId !== view.tileId)
  // Another anchor gets another form, which takes the focus.
  const key = JSON.stringify(anchor)
  return (
    <div className="grid gap-2 rounded-md border border-line bg-paper p-3">
      {hasOwnAnchor && <Anchor anchor={anchor} />}
      <CommentForm
        key={key}
        draftKey={key}
        label="New comment"
        submitLabel="Comment"
        onSubmit={async (text) => {
          await startThread(item, { text, ...anchor })
          stopWriting(anchor)
          onPosted()
          await client.invalidateQueries({ queryKey: commentsKey })
        }}
        onCancel={() => stopWriting()}
      />
    </div>
  )
}

const filterLabels: Record<Filter, string> = { open: 'Open', resolved: 'Resolved' }

function FilterButtons({ filter, onChange }: { filter: Filter; onChange(filter: Filter): void }) {
  const { counts, view } = useComments()!
  const countOf = (each: Filter) => (each === 'open' ? counts?.openCount : counts?.resolvedCount)
  return (
    <div role="group" aria-label="Show comments" className="flex gap-1">
      {(['open', 'resolved'] as const).map((each) => (
        <Button
          key={each}
          kind="ghost"
          size="small"
          aria-pressed={filter === each}
          className="aria-pressed:bg-raised aria-pressed:text-ink"
          onClick={() => onChange(each)}
        >
          {filterLabels[each]}
          {/* The counts are those of the whole page. */}
          {view.tileId === undefined && <span className="tabular-nums">{countOf(each)}</span>}
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

function NoComments({ isWriting }: { isWriting: boolean }) {
  return (
    <EmptyState title="No comments yet" icon={<MessageSquare />} {...(!isWriting && { action: <AddButton /> })}>
      <p>Ask a question or explain what changed. Write @ and a name to notify somebody.</p>
    </EmptyState>
  )
}

function NoThreads({ filter }: { filter: Filter }) {
  const isOpen = filter === 'open'
  return (
    <EmptyState title={isOpen ? 'No open comments' : 'No resolved comments'} icon={<CheckCheck />}>
      <p>{isOpen ? 'All threads are resolved.' : 'Threads that somebody has resolved appear here.'}</p>
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
