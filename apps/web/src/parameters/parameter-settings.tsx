import { useId, useState } from 'react'
import type { ParameterDefinition } from '../api/references.ts'
import { faultAt, messageOf } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Choice, Select, TextInput } from '../ui/inputs.tsx'
import { Problem } from '../ui/notice.tsx'
import { useAction } from '../ui/use-action.ts'
import { defaultText, withList, withType } from './edit-definition.ts'
import { OptionsSettings } from './options-settings.tsx'
import { ParameterInput } from './parameter-input.tsx'
import { defaultOf } from './values.ts'

const types: Record<ParameterDefinition['type'], string> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  timestamp: 'Date and time (UTC)',
  boolean: 'Yes or no',
  dateRange: 'Date range',
}

/** Edits a parameter's definition: its label, type, options, default value and description. */
export function ParameterSettings(props: {
  parameter: ParameterDefinition
  /** The other parameters, on which its options can depend. */
  others: ParameterDefinition[]
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
  const isAtField = [...Object.values(faults), fault('options')].some((message) => message !== undefined)
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
          hint={
            draft.type === 'dateRange'
              ? `Use its days in the SQL: {{${draft.name}.start}} and {{${draft.name}.end}}.`
              : 'Values are inserted as literals of this type, so they can’t change the query.'
          }
        >
          <Select
            value={draft.type}
            onChange={(event) => setDraft(withType(draft, event.target.value as ParameterDefinition['type']))}
          >
            {Object.entries(types).map(([type, name]) => (
              <option key={type} value={type}>{name}</option>
            ))}
          </Select>
        </Field>
        {draft.type !== 'dateRange' && (
          <>
            <Choice
              label="Takes several values"
              hint={<>Use it in the SQL as <code>in ({`{{${draft.name}}}`})</code>.</>}
              checked={draft.isList ?? false}
              onChange={(event) => setDraft(withList(draft, event.target.checked))}
            />
            <OptionsSettings draft={draft} others={props.others} fault={fault} onChange={setDraft} />
          </>
        )}
        <Field
          label="Default value"
          fault={faults.defaultValue}
          hint={draft.type === 'text' && !draft.isList ? 'Used when no value is entered. Can be empty.' : 'Leave blank to require a value each time.'}
        >
          <ParameterInput
            key={`${draft.type} ${draft.isList}`}
            definition={{ ...draft, name: 'default-value', displayName: 'Default value' }}
            value={defaultOf(draft)}
            onChange={(value) => change({ defaultValue: defaultText(value) })}
          />
        </Field>
        <Field label="Description" fault={faults.description} hint="Shown below the field.">
          <TextInput value={draft.description} onChange={(event) => change({ description: event.target.value })} />
        </Field>
      </form>
    </Dialog>
  )
}
