import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Activity, Cable, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type DatabaseInFull, testDatabase, type TestOutcome } from '../../api/databases.ts'
import { messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ConnectionDialog } from './connection-dialog.tsx'
import { DeleteDatabaseDialog } from './delete-database-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { isOnServer } from './is-on-server.ts'

/** The actions of admins on a database. */
export function DatabaseActions(props: { database: DatabaseInFull; onTested(outcome: TestOutcome): void }) {
  const { database, onTested } = props
  const [dialog, setDialog] = useState<'rename' | 'connection' | 'delete'>()
  const queryClient = useQueryClient()
  const toast = useToast()
  const testing = useMutation({
    mutationFn: () => testDatabase(database.id),
    onSuccess: onTested,
    onError: (error) => toast.show({ message: messageOf(error), isProblem: true }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['databases'] }),
  })
  const close = () => setDialog(undefined)
  return (
    <>
      <Button icon={<Activity />} isBusy={testing.isPending} onClick={() => testing.mutate()}>Test connection</Button>
      <Menu trigger={<IconButton label="More actions" icon={<Ellipsis />} />}>
        <MenuItem icon={<Pencil />} onSelect={() => setDialog('rename')}>Rename…</MenuItem>
        {isOnServer(database) && (
          <MenuItem icon={<Cable />} onSelect={() => setDialog('connection')}>Edit connection…</MenuItem>
        )}
        <MenuItem icon={<Trash2 />} isDangerous onSelect={() => setDialog('delete')}>Delete database…</MenuItem>
      </Menu>
      {dialog === 'rename' && <RenameDialog database={database} onClose={close} />}
      {dialog === 'connection' && isOnServer(database) && <ConnectionDialog database={database} onClose={close} />}
      {dialog === 'delete' && <DeleteDatabaseDialog database={database} onClose={close} />}
    </>
  )
}
