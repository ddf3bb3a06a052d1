import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { commentCountsOptions, type CommentedItem } from '../api/comments.ts'
import { useLocation } from '../use-location.ts'
import { Dialog } from '../ui/dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { usePageAction } from '../ui/page-actions.ts'
import { useIsWide } from '../ui/use-is-narrow.ts'
import { type CommentAnchor, CommentsContext, type CommentsOfPage, type CommentsView } from './comments-context.ts'
import { CommentsPanel } from './comments-panel.tsx'

interface PanelState {
  isOpen: boolean
  view: CommentsView
  writing: { anchor: CommentAnchor } | null
}

const noTitle = () => undefined

/**
 * A page with comments on its query or board. The panel is beside the content, so that people can read both; where there is no room, it
 * is a sheet above it. A link with `#thread_…` opens its thread.
 */
export function WithComments(props: CommentedItem & { titleOfTile?(tileId: string): string | undefined; children: ReactNode }) {
  const { kind, shortId, titleOfTile = noTitle } = props
  const item = useMemo(() => ({ kind, shortId }), [kind, shortId])
  const { data: counts } = useQuery(commentCountsOptions(item))
  const linked = threadIn(useLocation().hash)
  const [seenLink, setSeenLink] = useState<string>()
  const [{ isOpen, view, writing }, setState] = useState<PanelState>({ isOpen: false, view: {}, writing: null })
  if (linked !== seenLink) {
    setSeenLink(linked)
    if (linked !== undefined) setState({ isOpen: true, view: { threadId: linked }, writing: null })
  }
  const [drafts] = useState(() => new Map<string, string>())
  const opener = useRef<Element | null>(null)
  const open = useCallback((change: (before: PanelState) => Partial<PanelState>) => {
    setState((before) => {
      if (!before.isOpen) opener.current = document.activeElement
      return { ...before, ...change(before), isOpen: true }
    })
  }, [])
  const show = useCallback((shown: CommentsView) => open(() => ({ view: shown })), [open])
  const write = useCallback(
    (anchor: CommentAnchor) =>
      // The list of a tile stays while somebody writes about that tile.
      open(({ view: { tileId } }) => ({ view: tileId !== undefined && tileId === anchor.tileId ? { tileId } : {}, writing: { anchor } })),
    [open],
  )
  const stopWriting = useCallback((posted?: CommentAnchor) => {
    setState((before) => {
      const isListed = posted === undefined || before.view.tileId === posted.tileId
      return { ...before, writing: null, view: isListed ? before.view : {} }
    })
  }, [])
  const close = useCallback(() => {
    setState((before) => ({ ...before, isOpen: false }))
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
  }, [])
  usePageAction('Show comments', () => show({}))
  const comments: CommentsOfPage = { item, counts, isOpen, view, writing, drafts, show, write, stopWriting, close, titleOfTile }
  const isWide = useIsWide()
  return (
    <CommentsContext value={comments}>
      <div className={isOpen && isWide ? 'grid grid-cols-[minmax(0,1fr)_22rem] gap-6' : 'grid grid-cols-[minmax(0,1fr)]'}>
        <div className="min-w-0">{props.children}</div>
        {isOpen && isWide && <SidePanel onClose={close} />}
      </div>
      {isOpen && !isWide && (
        <Dialog title="Comments" isOpen onOpenChange={close} isSheet>
          <CommentsPanel />
        </Dialog>
      )}
    </CommentsContext>
  )
}

function SidePanel({ onClose }: { onClose(): void }) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    // A form that opens with the panel takes the focus itself.
    if (!panel.current?.contains(document.activeElement)) panel.current?.focus({ preventScroll: true })
  }, [])
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label="Comments"
      className="sticky top-4 flex max-h-[calc(100dvh-2rem)] flex-col self-start rounded-lg border border-line bg-surface outline-none"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line pr-2 pl-4">
        <h2 className="mr-auto">Comments</h2>
        <IconButton label="Close comments" icon={<X />} onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">
        <CommentsPanel />
      </div>
    </aside>
  )
}

/** The thread that the fragment of a URL names. */
const threadIn = (hash: string): string | undefined => /^#(thread_\w+)$/.exec(hash)?.[1]
