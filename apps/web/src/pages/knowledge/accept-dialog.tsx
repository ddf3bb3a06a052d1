import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import { databasesOptions } from '../../api/databases.ts'
import { acceptSuggestion, type CatalogTable, foundTablesOptions, type Suggestion, type SuggestionTarget } from '../../api/knowledge.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Select, TextArea, TextInput } from '../../ui/inputs.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'

/** Accepts a suggestion, after editing its text and where it belongs. */
export function AcceptDialog({ suggestion, onClose }: { suggestion: Suggestion; onClose(): void }) {
  const [text, setText] = useState(suggestion.text)
  const [target, setTarget] = useState(suggestion.target)
  const client = useQueryClient()
  const toast = useToast()
  const formId = useId()
  const accepting = useMutation({
    mutationFn: () => acceptSuggestion(suggestion.id, { text: text.trim(), target }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['knowledge'] })
      toast.show({ message: 'Accepted. Agents know it from now on.' })
      onClose()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    accepting.mutate()
  }
  return (
    <Dialog
      title="Accept suggestion"
      description={`From ${suggestion.suggestedBy.name}`}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={accepting.isPending} disabled={text.trim() === ''}>
            Accept suggestion
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={submit} noValidate>
        <Field label="Agents should know" fault={faultAt(accepting.error, '/text')}>
          <TextArea value={text} maxLength={1000} onChange={(event) => setText(event.target.value)} />
        </Field>
        <TargetFields target={target} onChange={setTarget} />
        <FormProblem error={accepting.error} fields={['/text']} />
      </form>
    </Dialog>
  )
}

function TargetFields({ target, onChange }: { target: SuggestionTarget; onChange(target: SuggestionTarget): void }) {
  const databases = useQuery(databasesOptions())
  const isTable = target.kind === 'table'
  const [isChoosingTable, setIsChoosingTable] = useState(isTable)
  const place = isChoosingTable ? 'table' : (target.databaseId ?? '')
  return (
    <>
      <Field label="Add to">
        <Select
          value={place}
          onChange={({ target: { value } }) => {
            setIsChoosingTable(value === 'table')
            if (value !== 'table') onChange({ kind: 'instructions', databaseId: value === '' ? null : value })
          }}
        >
          <option value="">Instructions for all databases</option>
          {databases.data?.map(({ id, name }) => <option key={id} value={id}>Instructions for {name}</option>)}
          <option value="table">Description of a table…</option>
        </Select>
      </Field>
      {isChoosingTable && <TableFields target={target} onChange={onChange} />}
    </>
  )
}

const settleMs = 200

function TableFields({ target, onChange }: { target: SuggestionTarget; onChange(target: SuggestionTarget): void }) {
  const [search, setSearch] = useState(target.kind === 'table' ? target.table : '')
  const { data } = useQuery(foundTablesOptions(useDebounced(search.trim(), settleMs)))
  const tables = data?.items ?? []
  const isChosen = ({ databaseId, schema, name }: CatalogTable) =>
    target.kind === 'table' && target.databaseId === databaseId && target.schema === schema && target.table === name
  const chosen = tables.find(isChosen)
  const choose = (at: string) => {
    const table = tables[Number(at)]
    if (table) onChange({ kind: 'table', databaseId: table.databaseId, schema: table.schema, table: table.name, column: null })
  }
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Search tables">
          <TextInput type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
        </Field>
        <Field label="Table">
          <Select value={chosen ? String(tables.indexOf(chosen)) : ''} onChange={(event) => choose(event.target.value)}>
            <option value="">Choose a table</option>
            {tables.map(({ schema, name, databaseName }, at) => (
              <option key={at} value={at}>{schema}.{name} in {databaseName}</option>
            ))}
          </Select>
        </Field>
      </div>
      {chosen && target.kind === 'table' && (
        <Field label="Column">
          <Select
            value={target.column ?? ''}
            onChange={(event) => onChange({ ...target, column: event.target.value === '' ? null : event.target.value })}
          >
            <option value="">The table itself</option>
            {chosen.columns.map(({ name }) => <option key={name} value={name}>{name}</option>)}
          </Select>
        </Field>
      )}
    </>
  )
}
