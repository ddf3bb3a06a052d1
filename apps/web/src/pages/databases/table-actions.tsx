import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type Database, deleteTable, renameTable, type Table } from '../../api/databases.ts'
import { faultAt } from '../../api/request.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { tableKey } from './schema-tree.ts'
import { faultOfName } from './table-files.ts'

interface TableProps {
  database: Database
  table: Table
}

/** The actions of admins and the owner on a table of an embedded database. */
export function TableActions(props: TableProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete'>()
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu trigger={<IconButton label={`Actions for ${props.table.name}`} icon={<Ellipsis />} />}>
        <MenuItem icon={<Pencil />} onSelect={() => setDialog('rename')}>Rename table…</MenuItem>
        <MenuItem icon={<Trash2 />} isDangerous onSelect={() => setDialog('delete')}>Delete table…</MenuItem>
      </Menu>
      {dialog === 'rename' && <RenameTableDialog {...props} onClose={close} />}
      {dialog === 'delete' && <DeleteTableDialog {...props} onClose={close} />}
    </>
  )
}

const formId = 'rename-table'

function RenameTableDialog({ database, table, onClose }: TableProps & { onClose(): void }) {
  const [name, setName] = useState(table.name)
  const queryClient = useQueryClient()
  const renaming = useMutation({
    mutationFn: () => renameTable(database.id, table, name),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['databases'] })
      onClose()
      navigate(paths.database(database.id, { table: tableKey({ ...table, name }) }), { replace: true })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    renaming.mutate()
  }
  return (
    <Dialog
      title="Rename table"
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={renaming.isPending} disabled={faultOfName(name) !== undefined}>
            Rename table
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-3" onSubmit={submit}>
        <Field
          label="Table name"
          fault={faultOfName(name) ?? faultAt(renaming.error, 'name')}
          hint="Queries that use the old name fail until you change them."
        >
          <TextInput value={name} autoFocus spellCheck={false} onChange={(event) => setName(event.target.value)} />
        </Field>
        <FormProblem error={renaming.error} fields={['name']} />
      </form>
    </Dialog>
  )
}

function DeleteTableDialog({ database, table, onClose }: TableProps & { onClose(): void }) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const deleting = useMutation({
    mutationFn: () => deleteTable(database.id, table),
    onSuccess: async () => {
      navigate(paths.database(database.id, {}), { replace: true })
      toast.show({ message: `Deleted the table ${table.name}.` })
      await queryClient.invalidateQueries({ queryKey: ['databases'] })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete the table ${table.name}?`}
      confirmLabel="Delete table"
      isOpen
      onOpenChange={onClose}
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
    >
      <p>This deletes its data and can’t be undone. Queries that use it fail. Existing query results are kept until they expire.</p>
    </ConfirmDialog>
  )
}
