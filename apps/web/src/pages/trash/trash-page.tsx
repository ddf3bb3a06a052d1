import { useInfiniteQuery } from '@tanstack/react-query'
import { LayoutDashboard, SquareCode, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { removeItems, restoreItems, type TrashItem, trashOptions } from '../../api/items.ts'
import { messageOf } from '../../api/request.ts'
import { useIsAdmin } from '../../api/session.ts'
import { ItemList } from '../../items/item-list.tsx'
import { iconClass, SelectBox } from '../../items/select-box.tsx'
import { SelectionBar } from '../../items/selection-bar.tsx'
import { useRefreshItems } from '../../items/use-refresh-items.ts'
import { useSelection } from '../../items/use-selection.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Pager } from '../../ui/pager.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useTitle } from '../../ui/use-title.ts'
import { describeTimeLeft } from './describe-time-left.ts'

/** `/trash`: deleted queries and boards. */
export function TrashPage() {
  useTitle('Trash')
  const query = useInfiniteQuery(trashOptions)
  return (
    <>
      <PageHead title="Trash" description="Deleted queries and boards. They can be restored for 30 days and are then permanently removed." />
      <Loaded query={query}>{(items) => (items.length === 0 ? <EmptyTrash /> : <DeletedItems items={items} />)}</Loaded>
      <Pager query={query} />
    </>
  )
}

function EmptyTrash() {
  return (
    <EmptyState title="The trash is empty" icon={<Trash2 />}>
      <p>Queries and boards that you delete stay here for 30 days.</p>
    </EmptyState>
  )
}

function DeletedItems({ items }: { items: TrashItem[] }) {
  const selection = useSelection(items)
  const isAdmin = useIsAdmin()
  const toast = useToast()
  const refresh = useRefreshItems()
  const restoring = useAction()
  const [leaving, setLeaving] = useState<TrashItem[]>()
  const restore = (chosen: TrashItem[]) =>
    restoring.run(async () => {
      try {
        await restoreItems(namesOf(chosen))
      } catch (error) {
        toast.show({ message: messageOf(error), isProblem: true })
        return
      }
      selection.clear()
      await refresh()
      const [only] = chosen
      toast.show({
        message: `Restored ${describe(chosen)}.`,
        ...(chosen.length === 1 && { action: { label: 'Open', act: () => navigate(pathOf(only!)) } }),
      })
    })
  return (
    <>
      <ItemList label="Deleted items" items={items} keyOf={({ kind, shortId }) => `${kind} ${shortId}`} selection={selection}>
        {(item) => (
            <li
              className="group relative grid grid-cols-[1rem_minmax(0,1fr)] items-center gap-x-3 gap-y-2 px-4 py-3 sm:grid-cols-[1rem_minmax(0,1fr)_auto]"
            >
              <SelectBox item={item} isSelected={selection.isSelected(item)} isSelecting={selection.items.length > 0} onToggle={selection.toggle} />
              <span className={iconClass(selection.items.length > 0)}><KindIcon kind={item.kind} /></span>
              <div className="grid min-w-0 gap-0.5">
                <span className="font-medium [overflow-wrap:anywhere]">{item.title}</span>
                <span className="text-xs text-soft">
                  Deleted {item.deletedBy && `by ${item.deletedBy.name}, `}<RelativeTime at={item.deletedAt} /> · {describeTimeLeft(item.removedAt, Date.now())}
                </span>
              </div>
              <div className="col-start-2 flex flex-wrap gap-2 sm:col-start-3">
                <Button size="small" aria-label={`Restore ${item.title}`} disabled={restoring.isBusy} onClick={() => restore([item])}>Restore</Button>
                {isAdmin && (
                  <Button size="small" kind="ghost" aria-label={`Remove ${item.title}`} onClick={() => setLeaving([item])}>Remove</Button>
                )}
              </div>
            </li>
        )}
      </ItemList>
      <SelectionBar label="Selected items" selection={selection}>
        <Button size="small" isBusy={restoring.isBusy} onClick={() => restore(selection.items)}>Restore</Button>
        {isAdmin && <Button size="small" onClick={() => setLeaving(selection.items)}>Remove</Button>}
      </SelectionBar>
      {leaving && (
        <RemoveDialog
          items={leaving}
          onRemoved={async () => {
            selection.clear()
            await refresh()
            setLeaving(undefined)
            toast.show({ message: `Permanently removed ${describe(leaving)}.` })
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  )
}

function RemoveDialog({ items, onRemoved, onClose }: { items: TrashItem[]; onRemoved(): Promise<void>; onClose(): void }) {
  const removing = useAction()
  const confirm = () =>
    removing.run(async () => {
      await removeItems(namesOf(items))
      await onRemoved()
    })
  return (
    <ConfirmDialog
      title={`Permanently remove ${describe(items)}?`}
      confirmLabel="Remove"
      isOpen
      onOpenChange={onClose}
      isBusy={removing.isBusy}
      error={removing.error}
      onConfirm={confirm}
    >
      Nobody can restore {items.length === 1 ? 'it' : 'them'} after that.
    </ConfirmDialog>
  )
}

const namesOf = (items: TrashItem[]) => items.map(({ kind, shortId }) => ({ kind, shortId }))

const describe = (items: TrashItem[]) => (items.length === 1 ? `“${items[0]!.title}”` : `${items.length} items`)

const pathOf = ({ kind, shortId }: TrashItem) => (kind === 'board' ? paths.board(shortId) : paths.permalink(shortId))

function KindIcon({ kind }: { kind: TrashItem['kind'] }) {
  const [Icon, name] = kind === 'board' ? [LayoutDashboard, 'Board'] : [SquareCode, 'Query']
  return <Icon className="size-4 self-start text-soft lg:self-center" role="img" aria-label={name} />
}
