import { canonicalDateRange, type DateRange, dayOf, previousPeriod, resolveDateRange } from '@querypost/server/date-ranges'
import { CalendarDays } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Field, useFieldAttributes, useNameOfButton } from '../ui/field.tsx'
import { Select, TextInput } from '../ui/inputs.tsx'
import { describeDays, describeRange } from './describe-range.ts'

const choices = [
  'today', 'yesterday', 'last 7 days', 'last 30 days', 'last 12 months', 'this week', 'this month', 'this quarter', 'this year to date',
  'previous week', 'previous month', 'previous quarter', 'previous year',
]
const units = ['days', 'weeks', 'months', 'quarters', 'years']

/** A date range: relative to today, or between two dates. The button shows it, and the days that it means today. */
export function DateRangeInput(props: { name: string; label: string; value: string; onChange(value: string): void }) {
  const { name, label, value, onChange } = props
  const field = useFieldAttributes()
  const nameOfButton = useNameOfButton()
  const [isOpen, setIsOpen] = useState(false)
  const today = dayOf(new Date())
  const range = resolveDateRange(value, today)
  const text = describeRange(value)
  const days = range ? describeDays(range) : ''
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger asChild>
        <button
          {...field}
          type="button"
          name={name}
          {...nameOfButton}
          className="flex min-h-8.5 w-full min-w-0 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 py-1 text-left aria-invalid:border-danger"
        >
          <span className="min-w-0 flex-1">
            <span className={classNames('block truncate', text === '' && 'text-soft')}>{text || 'Choose…'}</span>{' '}
            {text !== days && days !== '' && <span className="block truncate text-xs text-soft">{days}</span>}
          </span>
          <CalendarDays aria-hidden="true" className="size-4 shrink-0 text-soft" />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-popover-content-available-height) w-88 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-md border border-line bg-surface p-3 shadow-lg"
        >
          <RangeChoices
            value={value}
            today={today}
            onChoose={(chosen) => {
              onChange(chosen)
              setIsOpen(false)
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function RangeChoices({ value, today, onChoose }: { value: string; today: string; onChoose(value: string): void }) {
  const chosen = canonicalDateRange(value)
  const current = resolveDateRange(value, today)
  const before = previousPeriod(value, today)
  return (
    <div className="grid gap-4">
      <ul className="grid grid-cols-2 gap-1" aria-label="Common ranges">
        {choices.map((choice) => (
          <li key={choice}>
            <Button
              size="small"
              kind={choice === chosen ? 'primary' : 'ghost'}
              className="w-full justify-start!"
              aria-pressed={choice === chosen}
              onClick={() => onChoose(choice)}
            >
              {describeRange(choice)}
            </Button>
          </li>
        ))}
      </ul>
      <CountedRange chosen={chosen} onChoose={onChoose} />
      <FixedRange key={value} range={current} onChoose={onChoose} />
      {current && before && (
        <p className="text-xs text-soft">Previous period: {describeDays(before)}</p>
      )}
    </div>
  )
}

/** “Last 14 days”, “Next 2 months”. */
function CountedRange({ chosen, onChoose }: { chosen: string | undefined; onChoose(value: string): void }) {
  const known = /^(last|next) (\d+) (\w+?)s?$/.exec(chosen ?? '')
  const [side, setSide] = useState(known?.[1] ?? 'last')
  const [count, setCount] = useState(known?.[2] ?? '14')
  const [unit, setUnit] = useState(known ? `${known[3]}s` : 'days')
  const range = canonicalDateRange(`${side} ${count} ${unit}`)
  return (
    <form
      className="flex items-end gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        // React events bubble from the popover to the form that opened it.
        event.stopPropagation()
        if (range !== undefined) onChoose(range)
      }}
    >
      <Field label="Before or after" isLabelHidden className="w-20">
        <Select value={side} onChange={(event) => setSide(event.target.value)}>
          <option value="last">Last</option>
          <option value="next">Next</option>
        </Select>
      </Field>
      <Field label="Count" isLabelHidden className="w-16">
        <TextInput type="number" min={1} max={1000} value={count} onChange={(event) => setCount(event.target.value)} />
      </Field>
      <Field label="Unit" isLabelHidden className="flex-1">
        <Select value={unit} onChange={(event) => setUnit(event.target.value)}>
          {units.map((each) => <option key={each} value={each}>{each}</option>)}
        </Select>
      </Field>
      <Button type="submit" disabled={range === undefined}>Apply</Button>
    </form>
  )
}

/** Between two dates; without the second one, until today. */
function FixedRange({ range, onChoose }: { range: DateRange | undefined; onChoose(value: string): void }) {
  const [start, setStart] = useState(range?.start ?? '')
  const [end, setEnd] = useState(range?.end ?? '')
  const chosen = canonicalDateRange(end === '' ? `since ${start}` : `${start}..${end}`)
  return (
    <form
      className="grid grid-cols-2 items-end gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (chosen !== undefined) onChoose(chosen)
      }}
    >
      <Field label="From">
        <TextInput type="date" value={start} onChange={(event) => setStart(event.target.value)} />
      </Field>
      <Field label="To">
        <TextInput type="date" value={end} min={start} onChange={(event) => setEnd(event.target.value)} />
      </Field>
      <p className="text-xs text-soft">{end === '' ? 'No end: until today.' : 'Both days are included.'}</p>
      <Button type="submit" className="justify-self-end" disabled={chosen === undefined}>Apply dates</Button>
    </form>
  )
}
