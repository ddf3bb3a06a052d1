import type { ReferenceLineage } from '../../api/lineage.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { UsersList } from '../lineage/users-list.tsx'

/** Asks before a query is deleted that others use. */
export function DeleteUsedDialog(props: { title: string; usedBy: ReferenceLineage['usedBy']; onDelete(): void; onClose(): void }) {
  return (
    <ConfirmDialog title={`Delete “${props.title}”?`} confirmLabel="Delete query" isOpen onOpenChange={props.onClose} onConfirm={props.onDelete}>
      <div className="grid gap-3">
        <p>These use the query and stop working without it. You can restore it for 30 days.</p>
        <UsersList users={props.usedBy} nothing="" />
      </div>
    </ConfirmDialog>
  )
}
