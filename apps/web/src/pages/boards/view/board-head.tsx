import { Pencil, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Board, TileResult } from '../../../api/boards.ts'
import { ManagedBadge } from '../../../items/managed-badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { RelativeTime } from '../../../ui/time.tsx'
import { useIsNarrow } from '../../../ui/use-is-narrow.ts'
import { oldestResult } from '../content/oldest-result.ts'

/** Title, description and actions. Nothing can be edited until the reader asks for it. */
export function BoardHead(props: {
  board: Board
  /** Set for a board that cannot be edited here. */
  managedUrl: string | undefined
  results: readonly TileResult[]
  isRefreshing: boolean
  menu: ReactNode
  onRefresh(): void
  onEdit(): void
}) {
  const { board, managedUrl, isRefreshing } = props
  const isNarrow = useIsNarrow()
  const oldest = oldestResult(props.results)
  return (
    <header className="grid gap-1">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <h1 className="mr-auto min-w-0">{board.title}</h1>
        <div className="flex flex-wrap items-center gap-2">
          {oldest !== undefined && !isNarrow && (
            <span className="text-xs text-soft">Oldest result: <RelativeTime key={oldest} at={oldest} /></span>
          )}
          <Button icon={<RefreshCw />} isBusy={isRefreshing} onClick={props.onRefresh}>{isRefreshing ? 'Refreshing…' : 'Refresh'}</Button>
          {managedUrl === undefined && <EditButton isNarrow={isNarrow} onEdit={props.onEdit} />}
          {props.menu}
        </div>
      </div>
      {managedUrl !== undefined && <div><ManagedBadge url={managedUrl} /></div>}
      {board.description !== null && (
        <p className="max-w-3xl text-soft whitespace-pre-wrap [overflow-wrap:anywhere]">{board.description}</p>
      )}
    </header>
  )
}

function EditButton({ isNarrow, onEdit }: { isNarrow: boolean; onEdit(): void }) {
  return isNarrow ? (
    <IconButton label="Edit board" icon={<Pencil />} onClick={onEdit} />
  ) : (
    <Button icon={<Pencil />} onClick={onEdit}>Edit</Button>
  )
}
