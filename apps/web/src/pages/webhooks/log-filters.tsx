import { useEffect, useEffectEvent, useState } from 'react'
import { deliveryStates, type DeliveryState } from '../../api/deliveries.ts'
import { eventTypes } from '../../api/webhook-endpoints.ts'
import { Field } from '../../ui/field.tsx'
import { Select, TextInput } from '../../ui/inputs.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { aboutEventTypes } from '../../api/generated/event-types.ts'
import { type LogFilterParams, periods } from './log-filter.ts'

const stateLabels: Record<DeliveryState, string> = {
  pending: 'Pending',
  delivered: 'Delivered',
  exhausted: 'Failed',
  held: 'Held',
}

/** The filters of the log. Their values are kept in the URL. */
export function LogFilters(props: {
  choice: LogFilterParams
  searchFault: string | undefined
  onChange(change: Partial<Record<keyof LogFilterParams, string>>): void
}) {
  const { choice, onChange } = props
  return (
    <div className="grid grid-cols-2 gap-2 sm:grid-cols-[repeat(3,minmax(0,10rem))_minmax(0,1fr)]">
      <Field label="State" isLabelHidden>
        <Select value={choice.state} onChange={(event) => onChange({ state: event.target.value })}>
          <option value="">Any state</option>
          {deliveryStates.map((state) => <option key={state} value={state}>{stateLabels[state]}</option>)}
        </Select>
      </Field>
      <Field label="Event type" isLabelHidden>
        <Select value={choice.type} onChange={(event) => onChange({ type: event.target.value })}>
          <option value="">Any event</option>
          {eventTypes.map((type) => <option key={type} value={type}>{aboutEventTypes[type].label}</option>)}
        </Select>
      </Field>
      <Field label="Period" isLabelHidden>
        <Select value={choice.period} onChange={(event) => onChange({ period: event.target.value })}>
          {periods.map(({ name, label }) => <option key={name} value={name}>{label}</option>)}
        </Select>
      </Field>
      <SearchField
        value={choice.search}
        fault={props.searchFault}
        placeholder="Event, run or delivery ID"
        onChange={(search) => onChange({ search })}
      />
    </div>
  )
}

const settleMs = 300

/** Calls `onChange` when typing pauses. */
export function SearchField(props: {
  value: string
  fault: string | undefined
  placeholder: string
  onChange(value: string): void
}) {
  const { value, fault, placeholder, onChange } = props
  const [text, setText] = useState(value)
  const settled = useDebounced(text.trim(), settleMs)
  const reportChange = useEffectEvent(() => {
    if (settled !== value) onChange(settled)
  })
  useEffect(() => reportChange(), [settled])
  // The value was cleared elsewhere or restored by the back button.
  const [before, setBefore] = useState(value)
  if (before !== value) {
    setBefore(value)
    if (value !== settled) setText(value)
  }
  return (
    <Field label="Search by ID" isLabelHidden fault={fault}>
      <TextInput
        type="search"
        spellCheck={false}
        autoComplete="off"
        maxLength={100}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Field>
  )
}
