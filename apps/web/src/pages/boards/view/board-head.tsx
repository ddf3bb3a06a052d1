import { Pencil, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Board, TileResult } from '../../../api/boards.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { RelativeTime } from '../../../ui/time.tsx'
import { useIsNarrow } from '../../../ui/use-is-narrow.ts'
import { oldestResult } from '../content/oldest-result.ts'

/** Title, description and actions. Nothing can be edited until the reader asks for it. */
export function BoardHead(props: {
  board: Board
  results: readonly TileResult[]
  isRefreshing: boolean
  menu: ReactNode
  onRefresh(): void
  onEdit(): void
}) {
  const { board, isRefreshing } = props
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
          {isNarrow ? (
            <IconButton label="Edit board" icon={<Pencil />} onClick={props.onEdit} />
          ) : (
            <Button icon={<Pencil />} onClick={props.onEdit}>Edit</Button>
          )}
          {props.menu}
        </div>
      </div>
      {board.description !== null && (
        <p className="max-w-3xl text-soft whitespace-pre-wrap [overflow-wrap:anywhere]">{board.description}</p>
      )}
    </header>
  )
}
