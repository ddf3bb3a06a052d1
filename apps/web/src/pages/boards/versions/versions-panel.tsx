import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Board,
  boardListKey,
  boardOptions,
  type BoardVersion,
  boardVersionOptions,
  boardVersionsOptions,
  restoreBoardVersion,
} from '../../../api/boards.ts'
import { messageOf } from '../../../api/request.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Problem } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { describeChanges } from '../content/describe-changes.ts'

/** Every saved state of a board: who saved it, what changed, and a button to restore it. */
export function VersionsPanel({ board, onClose }: { board: Board; onClose(): void }) {
  const versions = useInfiniteQuery(boardVersionsOptions(board.shortId))
  return (
    <Dialog title="Version history" description="Restoring an earlier version saves it as a new one." isOpen onOpenChange={onClose} isSheet>
      <Loaded query={versions}>
        {(items) => (
          <ul className="divide-y divide-line" aria-label="Versions">
            {items.map((version) => <VersionItem key={version.number} board={board} version={version} onRestored={onClose} />)}
          </ul>
        )}
      </Loaded>
      {versions.hasNextPage && (
        <Button className="mt-3" isBusy={versions.isFetchingNextPage} onClick={() => void versions.fetchNextPage()}>Load more</Button>
      )}
    </Dialog>
  )
}

function VersionItem({ board, version, onRestored }: { board: Board; version: BoardVersion; onRestored(): void }) {
  const { shortId } = board
  const { number, changedAt, changedBy, isCurrent, isDeletion, restoredNumber } = version
  const client = useQueryClient()
  const toast = useToast()
  const restoring = useMutation({
    mutationFn: () => restoreBoardVersion(shortId, number),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: boardOptions(shortId).queryKey })
      void client.invalidateQueries({ queryKey: boardListKey })
      toast.show({ message: `Restored version ${number}.` })
      onRestored()
    },
  })
  return (
    <li className="grid gap-2 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="mr-auto grid min-w-0 grow basis-64 gap-1">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium">Version {number}</span>
            {isCurrent && <Badge color="good">Current</Badge>}
            {restoredNumber !== null && <Badge>Restored from version {restoredNumber}</Badge>}
          </p>
          <p className="text-xs text-soft">{isDeletion ? 'Deleted' : 'Saved'} by {changedBy.name}, <RelativeTime at={changedAt} /></p>
        </div>
        {!isCurrent && !isDeletion && (
          <Button size="small" isBusy={restoring.isPending} aria-label={`Restore version ${number}`} onClick={() => restoring.mutate()}>
            Restore
          </Button>
        )}
      </div>
      {!isDeletion && <Changes board={board} number={number} />}
      {restoring.error && <Problem message={messageOf(restoring.error)} />}
    </li>
  )
}

/** What changed with a version, compared with the one before it. */
function Changes({ board, number }: { board: Board; number: number }) {
  const after = useQuery(boardVersionOptions(board.shortId, number))
  const before = useQuery({ ...boardVersionOptions(board.shortId, number - 1), enabled: number > 1 })
  if (number === 1) return <p className="text-sm">Created the board</p>
  if (!after.data || !before.data) {
    return after.isError || before.isError ? null : <p className="text-sm text-soft" role="status">Comparing…</p>
  }
  const titleOf = (shortId: string) => board.references.find((reference) => reference.shortId === shortId)?.title
  const changes = describeChanges(before.data, after.data, titleOf)
  if (changes.length === 0) return <p className="text-sm text-soft">No changes to its content</p>
  return (
    <ul className="list-disc pl-5 text-sm [overflow-wrap:anywhere]">
      {changes.map((change, at) => <li key={at}>{change}</li>)}
    </ul>
  )
}
