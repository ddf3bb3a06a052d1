import type { Field as Column } from '@querypost/visualization'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/inputs.tsx'

/** Chooses a column. One that the chart names and the result does not have stays chosen, and says so. */
export function ColumnSelect(props: {
  label: string
  value: string | null
  fields: Column[]
  /** What choosing no column is called; without it one has to be chosen. */
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
      fault={isMissing ? `The result has no column “${value}” of this kind.` : undefined}
      {...(hint !== undefined && { hint })}
    >
      <Select value={value ?? ''} onChange={({ target }) => props.onChange(target.value === '' ? null : target.value)}>
        {(none !== undefined || value === null) && <option value="">{none ?? 'Choose a column …'}</option>}
        {isMissing && <option value={value}>{value}</option>}
        {uniqueNames(fields).map(({ name, type }) => (
          <option key={name} value={name}>{`${name} · ${type}`}</option>
        ))}
      </Select>
    </Field>
  )
}

/** A name stands for the first column that has it. */
function uniqueNames(fields: Column[]): Column[] {
  const seen = new Set<string>()
  return fields.filter(({ name }) => !seen.has(name) && seen.add(name))
}
