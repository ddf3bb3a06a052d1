import { useId, useState } from 'react'
import type { ParameterDefinition } from '../api/references.ts'
import { faultAt, messageOf } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Select, TextInput } from '../ui/inputs.tsx'
import { Problem } from '../ui/notice.tsx'
import { useAction } from '../ui/use-action.ts'
import { ParameterInput } from './parameter-input.tsx'

const types: Record<ParameterDefinition['type'], string> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  timestamp: 'Date and time (UTC)',
  boolean: 'Yes or no',
}

/** What a parameter is called, what it may be, and what it is when nobody says otherwise. */
export function ParameterSettings(props: {
  parameter: ParameterDefinition
  /** The service may refuse: the dialog stays open then, with the reason. */
  onSave(parameter: ParameterDefinition): Promise<void>
  /** Where the service names faults of this parameter. */
  faultPath: string
  onClose(): void
}) {
  const formId = useId()
  const [draft, setDraft] = useState(props.parameter)
  const saving = useAction()
  const change = (changes: Partial<ParameterDefinition>) => setDraft({ ...draft, ...changes })
  const fault = (field: string) => faultAt(saving.error, `${props.faultPath}/${field}`)
  const faults = {
    displayName: fault('displayName'),
    type: fault('type'),
    defaultValue: fault('defaultValue'),
    description: fault('description'),
  }
  const isAtField = Object.values(faults).some((message) => message !== undefined)
  return (
    <Dialog
      title={`Parameter {{${props.parameter.name}}}`}
      isOpen
      onOpenChange={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={saving.isBusy}>Save</Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // A dialog lies in the tree of whatever form it was opened from.
          event.stopPropagation()
          saving.run(() => props.onSave(draft))
        }}
      >
        {saving.error !== undefined && !isAtField && <Problem message={messageOf(saving.error)} />}
        <Field label="Label" fault={faults.displayName}>
          <TextInput value={draft.displayName} onChange={(event) => change({ displayName: event.target.value })} autoFocus />
        </Field>
        <Field
          label="Type"
          fault={faults.type}
          hint="A value is put into the SQL as a literal of this type, so it can never change the query."
        >
          <Select value={draft.type} onChange={(event) => change({ type: event.target.value as ParameterDefinition['type'] })}>
            {Object.entries(types).map(([type, name]) => (
              <option key={type} value={type}>{name}</option>
            ))}
          </Select>
        </Field>
        <Field
          label="Default value"
          fault={faults.defaultValue}
          hint={draft.type === 'text' ? 'Used when no value is given; it may be empty.' : 'Leave it empty to ask for a value each time.'}
        >
          <ParameterInput
            type={draft.type}
            name="default-value"
            value={draft.defaultValue}
            onChange={(defaultValue) => change({ defaultValue })}
          />
        </Field>
        <Field label="Description" fault={faults.description} hint="Shown below the field.">
          <TextInput value={draft.description} onChange={(event) => change({ description: event.target.value })} />
        </Field>
      </form>
    </Dialog>
  )
}
