import { MessageSquare } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { useComments } from './comments-context.ts'

/** Opens and closes the comments, with the number of open threads. */
export function CommentsButton() {
  const comments = useComments()
  const isNarrow = useIsNarrow()
  if (!comments) return null
  const { isOpen, show, close } = comments
  const count = comments.counts?.openCount ?? 0
  const attributes = { 'aria-expanded': isOpen, onClick: () => (isOpen ? close() : show({})) }
  if (isNarrow) {
    const icon = (
      <>
        <MessageSquare aria-hidden="true" />
        {count > 0 && (
          <span
            aria-hidden="true"
            className="absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-accent px-1 text-center text-[0.65rem] leading-4 font-semibold text-on-accent"
          >
            {shownCount(count)}
          </span>
        )}
      </>
    )
    return <IconButton label={count === 0 ? 'Comments' : `Comments, ${count} open`} className="relative" icon={icon} {...attributes} />
  }
  return (
    <Button icon={<MessageSquare />} {...attributes}>
      Comments
      {count > 0 && (
        <span className="rounded-full bg-accent-wash px-1.5 text-xs leading-5 text-accent tabular-nums">
          {shownCount(count)}
          <span className="sr-only"> open</span>
        </span>
      )}
    </Button>
  )
}

const shownCount = (count: number) => (count > 99 ? '99+' : count)

/** On a tile with open threads: their number, and the way to them. */
export function TileComments({ tileId, title }: { tileId: string; title: string }) {
  const comments = useComments()
  const count = comments?.counts?.tiles.find((tile) => tile.tileId === tileId)?.openCount ?? 0
  if (!comments || count === 0) return null
  return (
    <button
      type="button"
      aria-label={`${count} open ${count === 1 ? 'comment' : 'comments'} on ${title}`}
      className="flex h-7 shrink-0 items-center gap-1 rounded-md px-1.5 text-xs text-accent tabular-nums hover:bg-raised [&_svg]:size-3.5"
      onClick={() => comments.show({ tileId })}
    >
      <MessageSquare aria-hidden="true" />
      {shownCount(count)}
    </button>
  )
}
