import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import { type CatalogTable, describeTable } from '../../api/knowledge.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextArea, TextInput } from '../../ui/inputs.tsx'
import { QuestionsFirst } from './questions-first.tsx'

/** Describes a table and its columns. Where nothing is entered, the database's own comment applies, which is shown in the field. */
export function TableDialog({ table, onClose }: { table: CatalogTable; onClose(): void }) {
  const { databaseId, schema, name, version } = table
  const [description, setDescription] = useState(table.description ?? '')
  const [columns, setColumns] = useState(() =>
    Object.fromEntries(table.columns.map((column) => [column.name, column.description ?? ''])),
  )
  const client = useQueryClient()
  const formId = useId()
  const saving = useMutation({
    mutationFn: () => describeTable({ databaseId, schema, table: name, description, columns, version }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['knowledge'] })
      void client.invalidateQueries({ queryKey: ['databases', databaseId, 'tables'] })
      onClose()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <Dialog
      title={`Describe ${schema}.${name}`}
      description="Leave a field blank to use the database’s own comment."
      isOpen
      isSheet
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <QuestionsFirst
            proposal={{ kind: 'table', databaseId, schema, table: name, description, columns }}
            onSave={() => saving.mutate()}
            onDiscard={onClose}
          />
          <Button kind="primary" type="submit" form={formId} isBusy={saving.isPending}>Save descriptions</Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={submit} noValidate>
        <Field label="Table" fault={faultAt(saving.error, '/description')}>
          <TextArea
            rows={3}
            value={description}
            placeholder={table.comment ?? 'What one row stands for'}
            onChange={(event) => setDescription(event.target.value)}
          />
        </Field>
        {table.columns.map((column) => (
          <Field key={column.name} label={column.name} hint={column.type.toLowerCase()} fault={faultAt(saving.error, `/columns/${column.name}`)}>
            <TextInput
              value={columns[column.name]}
              placeholder={column.comment ?? ''}
              onChange={(event) => setColumns({ ...columns, [column.name]: event.target.value })}
            />
          </Field>
        ))}
        <FormProblem error={saving.error} fields={['/description', '/columns']} />
      </form>
    </Dialog>
  )
}
