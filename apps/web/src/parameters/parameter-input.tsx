import { useState } from 'react'
import type { ParameterDefinition } from '../api/references.ts'
import { Select, TextInput } from '../ui/inputs.tsx'
import { DateRangeInput } from './date-range-input.tsx'
import { labelOf } from './label-of.ts'
import { ListInput } from './list-input.tsx'
import { OptionInput } from './option-input.tsx'
import type { Value, Values } from './values.ts'

/** The control for a parameter's value. Put it into a `Field`. */
export function ParameterInput(props: {
  definition: ParameterDefinition
  value: Value
  /** The values of all parameters, since options may depend on them. */
  values?: Values
  onChange(value: Value): void
}) {
  const { definition, value, values = {}, onChange } = props
  const label = labelOf(definition)
  if (definition.isList) {
    return <ListInput definition={definition} label={label} values={values} value={[value].flat()} onChange={onChange} />
  }
  const single = typeof value === 'string' ? value : (value[0] ?? '')
  if (definition.type === 'dateRange') return <DateRangeInput name={definition.name} label={label} value={single} onChange={onChange} />
  if (definition.options) return <OptionInput definition={definition} values={values} value={single} onChange={onChange} />
  return <NativeInput type={definition.type} name={definition.name} value={single} onChange={onChange} />
}

type NativeType = Exclude<ParameterDefinition['type'], 'dateRange'>

/** The browser's native control for a type. */
function NativeInput(props: { type: NativeType; name: string; value: string; onChange(value: string): void }) {
  const { type, name, value } = props
  // A native control shows a value it cannot hold, such as microseconds or another time zone, as empty; fall back to a text
  // field. Decide once per type, so that the control does not change while the user types.
  const [settled, setSettled] = useState(() => ({ type, isPlain: !canHold(type, value) }))
  if (settled.type !== type) setSettled({ type, isPlain: !canHold(type, value) })
  const { isPlain } = settled
  if (type === 'boolean') {
    return (
      <Select name={name} value={value.toLowerCase()} onChange={(event) => props.onChange(event.target.value)}>
        {value !== 'true' && value !== 'false' && <option value={value.toLowerCase()}>Choose…</option>}
        <option value="true">Yes</option>
        <option value="false">No</option>
      </Select>
    )
  }
  return (
    <TextInput
      name={name}
      {...(isPlain ? { type: 'text' } : controls[type])}
      value={!isPlain && type === 'timestamp' ? value.replace(/Z$/i, '') : value}
      onChange={(event) => props.onChange(event.target.value)}
      autoComplete="off"
    />
  )
}

const controls = {
  text: { type: 'text' },
  number: { type: 'number', step: 'any' },
  date: { type: 'date' },
  timestamp: { type: 'datetime-local', step: 1 },
} as const

function canHold(type: NativeType, value: string): boolean {
  if (value === '') return true
  if (type === 'number') return /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i.test(value)
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(value)
  if (type === 'timestamp') return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z?$/i.test(value)
  return true
}
