import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Database, renameDatabase } from '../../api/databases.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextInput } from '../../ui/inputs.tsx'

const formId = 'rename-database'

export function RenameDialog({ database, onClose }: { database: Database; onClose(): void }) {
  const [name, setName] = useState(database.name)
  const queryClient = useQueryClient()
  const renaming = useMutation({
    mutationFn: () => renameDatabase(database.id, name),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['databases'] })
      onClose()
    },
  })
  return (
    <Dialog
      title="Rename database"
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={renaming.isPending} disabled={name.trim() === ''}>
            Rename database
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          renaming.mutate()
        }}
      >
        <Field label="Name" fault={faultAt(renaming.error, '/name')}>
          <TextInput value={name} maxLength={100} autoFocus onChange={(event) => setName(event.target.value)} />
        </Field>
        <FormProblem error={renaming.error} fields={['/name']} />
      </form>
    </Dialog>
  )
}
