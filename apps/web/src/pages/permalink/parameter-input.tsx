import { useState } from 'react'
import type { ParameterDefinition } from '../../api/references.ts'

/** The browser's own control for the parameter's type. */
export function ParameterInput(props: {
  parameter: ParameterDefinition
  hintId: string
  value: string
  onChange(value: string): void
}) {
  const { parameter, value } = props
  const { name, type } = parameter
  // A control would show a value that it cannot hold, such as microseconds or another time zone, as empty: then it is text.
  // Settled once, lest the control change under the hands of whoever types.
  const [isPlain] = useState(() => !canHold(type, value))
  const common = { name, 'aria-describedby': props.hintId }
  if (type === 'boolean') {
    return (
      <select {...common} value={value.toLowerCase()} onChange={(event) => props.onChange(event.target.value)}>
        {value === '' && <option value="">Choose …</option>}
        <option value="true">Yes</option>
        <option value="false">No</option>
      </select>
    )
  }
  return (
    <input
      {...common}
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

function canHold(type: ParameterDefinition['type'], value: string): boolean {
  if (value === '') return true
  if (type === 'number') return /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i.test(value)
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(value)
  if (type === 'timestamp') return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z?$/i.test(value)
  return true
}
