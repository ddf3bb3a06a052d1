import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

/** Asks before unsaved changes are lost, by a link, Back, or closing the page. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      title="Leave without saving?"
      confirmLabel="Discard changes"
      isOpen={blocker.status === 'blocked'}
      onOpenChange={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    >
      Your changes to this board are not saved.
    </ConfirmDialog>
  )
}
