import { useState } from 'react'
import type { ParameterDefinition } from '../api/references.ts'
import { Select, TextInput } from '../ui/inputs.tsx'

/** The browser's native control for the parameter's type. */
export function ParameterInput(props: {
  type: ParameterDefinition['type']
  name: string
  value: string
  onChange(value: string): void
}) {
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
  dateRange: { type: 'text' },
} as const

function canHold(type: ParameterDefinition['type'], value: string): boolean {
  if (value === '') return true
  if (type === 'number') return /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i.test(value)
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(value)
  if (type === 'timestamp') return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z?$/i.test(value)
  return true
}
