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
  dateRange: 'Date range',
}

/** Edits the label, type, default value and description of a parameter. */
export function ParameterSettings(props: {
  parameter: ParameterDefinition
  /** If it rejects, the dialog stays open and shows the reason. */
  onSave(parameter: ParameterDefinition): Promise<void>
  /** The JSON pointer under which the service reports errors of this parameter. */
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
          <Button kind="primary" type="submit" form={formId} isBusy={saving.isBusy}>Save parameter</Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // React events bubble from the dialog to the form that opened it.
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
          hint="Values are inserted as literals of this type, so they can’t change the query."
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
          hint={draft.type === 'text' ? 'Used when no value is entered. Can be empty.' : 'Leave blank to require a value each time.'}
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
