import { type UseInfiniteQueryResult, useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../api/request.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Problem } from '../ui/notice.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'

/** What the versions of queries and boards have in common. */
export interface ListedVersion {
  number: number
  restoredNumber: number | null
  changedAt: string
  changedBy: { name: string } | null
  isCurrent: boolean
  isDeletion?: boolean
}

interface History<Version extends ListedVersion> {
  /** Saves a version as the current one. */
  restore(number: number): Promise<unknown>
  /** What changed with a version, in words. */
  describe(version: Version): ReactNode
  /** What changed with a version, side by side with the one before it. */
  compare(version: Version): ReactNode
}

/** Every saved state of a query or a board: who saved it, what changed, and a button to restore it. */
export function VersionsPanel<Version extends ListedVersion>(
  props: History<Version> & { versions: UseInfiniteQueryResult<Version[]>; onClose(): void },
) {
  const { versions, onClose, ...history } = props
  return (
    <Dialog
      title="Version history"
      description="Restoring an earlier version saves it as a new one."
      isOpen
      onOpenChange={onClose}
      isSheet
      width="wide"
    >
      <Loaded query={versions}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="No versions yet"><p>The next change is kept here.</p></EmptyState>
          ) : (
            <ul className="divide-y divide-line" aria-label="Versions">
              {items.map((version) => (
                <VersionItem
                  key={version.number}
                  version={version}
                  current={items.find(({ isCurrent }) => isCurrent)?.number}
                  history={history}
                  onRestored={onClose}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {versions.hasNextPage && (
        <Button className="mt-3" isBusy={versions.isFetchingNextPage} onClick={() => void versions.fetchNextPage()}>Load more</Button>
      )}
    </Dialog>
  )
}

function VersionItem<Version extends ListedVersion>(props: {
  version: Version
  current: number | undefined
  history: History<Version>
  onRestored(): void
}) {
  const { version, current, history } = props
  const { number, changedAt, changedBy, isCurrent, isDeletion = false, restoredNumber } = version
  const toast = useToast()
  const undo = (before: number) => {
    history.restore(before).then(
      () => toast.show({ message: 'Restoring undone.' }),
      (error: unknown) => toast.show({ message: messageOf(error), isProblem: true }),
    )
  }
  const restoring = useMutation({
    // The version to return to is the one that was current when somebody clicked: the list is loaded again before this ends.
    mutationFn: (_before: number | undefined) => history.restore(number),
    onSuccess: (_restored, before) => {
      const action = before !== undefined && { action: { label: 'Undo', act: () => undo(before) } }
      toast.show({ message: `Restored version ${number}.`, ...action })
      props.onRestored()
    },
  })
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="mr-auto grid min-w-0 grow basis-64 gap-1">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium">Version {number}</span>
            {isCurrent && <Badge color="good">Current</Badge>}
            {restoredNumber !== null && <Badge>Restored from version {restoredNumber}</Badge>}
          </p>
          <p className="text-xs text-soft">
            {isDeletion ? 'Deleted' : 'Saved'} {changedBy && `by ${changedBy.name}, `}<RelativeTime at={changedAt} />
          </p>
        </div>
        {!isCurrent && !isDeletion && (
          <Button size="small" isBusy={restoring.isPending} aria-label={`Restore version ${number}`} onClick={() => restoring.mutate(current)}>
            Restore
          </Button>
        )}
      </div>
      {!isDeletion && history.describe(version)}
      {!isDeletion && number > 1 && <Comparison number={number}>{() => history.compare(version)}</Comparison>}
      {restoring.error && <Problem message={messageOf(restoring.error)} />}
    </li>
  )
}

/** Loads and shows the comparison once somebody asks for it. */
function Comparison({ number, children }: { number: number; children(): ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded text-xs text-soft hover:text-ink">
        Compare with version {number - 1}
      </summary>
      {isOpen && <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-3">{children()}</div>}
    </details>
  )
}
