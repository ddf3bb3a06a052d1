import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { commentsKey, type CommentThread, replyTo, resolveThread, threadOptions } from '../api/comments.ts'
import { messageOf } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { Anchor } from './anchor.tsx'
import { CommentForm } from './comment-form.tsx'
import { CommentView } from './comment-view.tsx'
import { useComments } from './comments-context.ts'

/** A conversation: what it is about, its comments, and what can be done with it. */
export function ThreadCard({ thread: listed, hasAnchor }: { thread: CommentThread; hasAnchor: boolean }) {
  const client = useQueryClient()
  const toast = useToast()
  const [isExpanded, setIsExpanded] = useState(false)
  const { drafts } = useComments()!
  const [isReplying, setIsReplying] = useState(() => drafts.has(listed.id))
  const whole = useQuery({ ...threadOptions(listed.id), enabled: isExpanded })
  const thread = (isExpanded && whole.data) || listed
  const { id, comments, commentCount, resolvedAt, resolvedBy } = thread
  const hiddenCount = commentCount - comments.length
  const isResolved = resolvedAt !== null
  const [first, ...rest] = comments
  if (!first) return null
  const refresh = () => client.invalidateQueries({ queryKey: commentsKey })
  const resolve = async () => {
    try {
      await resolveThread(id, !isResolved)
      toast.show({ message: isResolved ? 'Thread reopened.' : 'Thread resolved.' })
      await refresh()
    } catch (error) {
      toast.show({ message: messageOf(error), isProblem: true })
    }
  }
  return (
    <article aria-label={`Thread of ${first.author.name}`} className="grid grid-cols-[minmax(0,1fr)] gap-2.5 rounded-md border border-line p-3">
      {hasAnchor && <Anchor anchor={thread} />}
      <CommentView comment={first} threadId={id} />
      {hiddenCount > 0 && (
        <Button kind="ghost" size="small" className="justify-self-start" isBusy={isExpanded && whole.isFetching} onClick={() => setIsExpanded(true)}>
          Show {hiddenCount} more {hiddenCount === 1 ? 'comment' : 'comments'}
        </Button>
      )}
      {rest.map((comment) => <CommentView key={comment.id} comment={comment} threadId={id} />)}
      {isResolved && (
        <p className="text-xs text-soft">
          Resolved{resolvedBy && <> by {resolvedBy.name}</>}, <RelativeTime at={resolvedAt} />
        </p>
      )}
      {isReplying ? (
        <CommentForm
          draftKey={id}
          label="Reply"
          submitLabel="Reply"
          onSubmit={async (text) => {
            await replyTo(id, text)
            setIsReplying(false)
            await refresh()
          }}
          onCancel={() => setIsReplying(false)}
        />
      ) : (
        <div className="flex gap-2">
          <Button size="small" onClick={() => setIsReplying(true)}>{isResolved ? 'Reply and reopen' : 'Reply'}</Button>
          <Button size="small" kind="ghost" icon={isResolved ? <RotateCcw /> : <Check />} onClick={() => void resolve()}>
            {isResolved ? 'Reopen' : 'Resolve'}
          </Button>
        </div>
      )}
    </article>
  )
}
