import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Link2, Pencil, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Comment, commentsKey, deleteComment, editComment } from '../api/comments.ts'
import { useSession } from '../api/session.ts'
import { paths } from '../paths.ts'
import { classNames } from '../ui/class-names.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Markdown } from '../ui/markdown/markdown.tsx'
import { Menu, MenuDivider, MenuItem } from '../ui/menu.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { CommentForm } from './comment-form.tsx'
import { useComments } from './comments-context.ts'
import { toShown } from './mention-text.ts'

/** One comment. Its author edits and deletes it; admins delete any. */
export function CommentView({ comment, threadId }: { comment: Comment; threadId: string }) {
  const { author, createdAt, editedAt } = comment
  const { user, role } = useSession()
  const { item, drafts } = useComments()!
  const client = useQueryClient()
  const toast = useToast()
  const [isEditing, setIsEditing] = useState(() => drafts.has(comment.id))
  const [isDeleting, setIsDeleting] = useState(false)
  const refresh = () => client.invalidateQueries({ queryKey: commentsKey })
  const deleting = useMutation({ mutationFn: () => deleteComment(comment.id), onSuccess: refresh })
  const isOwn = author.id === user.id
  const copyLink = () => {
    const page = item.kind === 'board' ? paths.board(item.shortId) : paths.permalink(item.shortId)
    navigator.clipboard.writeText(`${window.location.origin}${page}#${threadId}`).then(
      () => toast.show({ message: 'Link copied.' }),
      () => toast.show({ message: 'Couldn’t copy the link: the browser denied access to the clipboard.', isProblem: true }),
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex min-h-7 items-center gap-x-2">
        <span className="truncate text-sm font-medium">{author.name}</span>
        <span className="shrink-0 text-xs text-soft">
          <RelativeTime key={createdAt} at={createdAt} />
          {editedAt !== null && ' · edited'}
        </span>
        <span className="ml-auto">
          <Menu trigger={<IconButton label={`Actions for the comment of ${author.name}`} icon={<Ellipsis />} className="size-7" />}>
            <MenuItem icon={<Link2 />} onSelect={copyLink}>Copy link</MenuItem>
            {isOwn && <MenuItem icon={<Pencil />} movesFocus onSelect={() => setIsEditing(true)}>Edit comment</MenuItem>}
            {(isOwn || role === 'admin') && (
              <>
                <MenuDivider />
                <MenuItem icon={<Trash2 />} isDangerous onSelect={() => setIsDeleting(true)}>Delete comment</MenuItem>
              </>
            )}
          </Menu>
        </span>
      </div>
      {isEditing ? (
        <CommentForm
          draftKey={comment.id}
          label="Edit comment"
          submitLabel="Save"
          stored={comment}
          onSubmit={async (text) => {
            await editComment(comment.id, text)
            setIsEditing(false)
            await refresh()
          }}
          onCancel={() => setIsEditing(false)}
        />
      ) : (
        <CommentText comment={comment} />
      )}
      <ConfirmDialog
        title="Delete this comment?"
        confirmLabel="Delete comment"
        isOpen={isDeleting}
        onOpenChange={setIsDeleting}
        isBusy={deleting.isPending}
        error={deleting.error}
        onConfirm={() => deleting.mutate()}
      >
        {isOwn ? 'You can’t undo this.' : `${author.name} wrote it. You can’t undo this, and the audit log records it.`}
      </ConfirmDialog>
    </div>
  )
}

function CommentText({ comment }: { comment: Comment }) {
  const { user } = useSession()
  const shown = useMemo(() => toShown(comment.text, comment.mentions), [comment])
  const marks = useMemo(
    () => ({
      spans: shown.spans,
      render(index: number) {
        const { id, name, isMember } = shown.people[index]!
        // Somebody who has left is only a name.
        if (!isMember) return `@${name}`
        return <span className={classNames('font-medium text-accent', id === user.id && 'rounded bg-accent-wash px-0.5')}>@{name}</span>
      },
    }),
    [shown, user.id],
  )
  return <div className="text-sm"><Markdown text={shown.text} origin={window.location.origin} marks={marks} /></div>
}
