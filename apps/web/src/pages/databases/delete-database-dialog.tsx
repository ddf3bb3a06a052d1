import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type DatabaseInFull, deleteDatabase } from '../../api/databases.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { isOnServer } from './is-on-server.ts'

/** Deletes a database, or explains that saved queries still use it. */
export function DeleteDatabaseDialog({ database, onClose }: { database: DatabaseInFull; onClose(): void }) {
  const { id, name, savedQueryCount } = database
  const queryClient = useQueryClient()
  const toast = useToast()
  const deleting = useMutation({
    mutationFn: () => deleteDatabase(id),
    onSuccess: () => {
      navigate(paths.databases, { replace: true })
      queryClient.removeQueries({ queryKey: ['databases', id] })
      void queryClient.invalidateQueries({ queryKey: ['databases'] })
      toast.show({ message: `Deleted the database ${name}.` })
    },
  })
  if (savedQueryCount > 0) {
    const closeButton = <Button onClick={onClose}>Close</Button>
    const count = savedQueryCount >= 1000 ? '1,000 or more' : savedQueryCount
    const [which, them] = savedQueryCount === 1 ? ['1 saved query uses', 'it'] : [`${count} saved queries use`, 'them']
    return (
      <Dialog title={`${name} is in use`} isOpen onOpenChange={onClose} footer={closeButton}>
        <p>{which} this database. Delete {them} first, then delete the database.</p>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Delete the database ${name}?`}
      confirmLabel="Delete database"
      isOpen
      onOpenChange={onClose}
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
    >
      <p>
        {isOnServer(database)
          ? 'This deletes its settings and password here. Nothing changes on the database server, and you can add it again. '
          : 'This deletes its tables and can’t be undone. A file that an administrator placed on the server stays there. '}
        Existing query results are kept until they expire.
      </p>
    </ConfirmDialog>
  )
}
