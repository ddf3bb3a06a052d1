import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { pageOfUser } from './page-of-user.ts'

/** Something that uses a deleted item, as the service lists it. */
export interface ItemUser {
  path: string
  message: string
}

/** Asks before items are deleted that others use. */
export function DeleteUsedItemsDialog(props: { count: string; users: ItemUser[]; onDelete(): void; onClose(): void }) {
  return (
    <ConfirmDialog title={`Delete ${props.count}?`} confirmLabel="Delete" isOpen onOpenChange={props.onClose} onConfirm={props.onDelete}>
      <div className="grid gap-3">
        <p>These use what you delete, and stop working without it. You can restore it for 30 days.</p>
        <ul className="grid max-h-60 gap-0.5 overflow-y-auto [overflow-wrap:anywhere]">
          {props.users.map(({ path, message }) => (
            <li key={path}><TextLink href={pageOfUser(path)}>{message}</TextLink></li>
          ))}
        </ul>
      </div>
    </ConfirmDialog>
  )
}
