import type { Field as Column } from '@querypost/visualization'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/inputs.tsx'

/** Selects a column. A column missing from the result stays selected and is marked as missing. */
export function ColumnSelect(props: {
  label: string
  value: string | null
  fields: Column[]
  /** The label of the empty choice; without it a column is required. */
  none?: string
  isLabelHidden?: boolean
  hint?: string
  onChange(name: string | null): void
}) {
  const { label, value, fields, none, hint, isLabelHidden = false } = props
  const isMissing = value !== null && !fields.some(({ name }) => name === value)
  return (
    <Field
      label={label}
      isLabelHidden={isLabelHidden}
      fault={isMissing ? `The result has no matching column “${value}”.` : undefined}
      {...(hint !== undefined && { hint })}
    >
      <Select value={value ?? ''} onChange={({ target }) => props.onChange(target.value === '' ? null : target.value)}>
        {(none !== undefined || value === null) && <option value="">{none ?? 'Choose a column…'}</option>}
        {isMissing && <option value={value}>{value}</option>}
        {uniqueNames(fields).map(({ name, type }) => (
          <option key={name} value={name}>{`${name} · ${type}`}</option>
        ))}
      </Select>
    </Field>
  )
}

/** A repeated name refers to the first column that has it. */
function uniqueNames(fields: Column[]): Column[] {
  const seen = new Set<string>()
  return fields.filter(({ name }) => !seen.has(name) && seen.add(name))
}
