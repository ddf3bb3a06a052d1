import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type DatabaseInFull, deleteDatabase } from '../../api/databases.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'

/** A database that saved queries need is not deleted; it says so before anybody tries. */
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
      toast.show({ message: `The database ${name} was deleted.` })
    },
  })
  if (savedQueryCount > 0) {
    const closeButton = <Button onClick={onClose}>Close</Button>
    const count = savedQueryCount >= 1000 ? '1,000 or more' : savedQueryCount
    const [which, them] = savedQueryCount === 1 ? ['One saved query runs', 'it'] : [`${count} saved queries run`, 'them']
    return (
      <Dialog title={`${name} is in use`} isOpen onOpenChange={onClose} footer={closeButton}>
        <p>{which} against this database. Delete {them} first; then the database can be deleted.</p>
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
        {database.engine === 'duckdb'
          ? 'Its tables go with it, and this cannot be undone. A file that the operator put on the server is left there. '
          : 'Its settings and password are forgotten. Nothing is changed on its server, and you can add it again. '}
        Results of queries that were run against it stay until they expire.
      </p>
    </ConfirmDialog>
  )
}
