import {
  addLine,
  type ChartLine,
  editLine,
  findColumn,
  hasTrend,
  isCartesian,
  isNumeric,
  isTime,
  kindOf,
  type LineChange,
  readChoice,
  readLines,
  readMovingAverage,
  removeLine,
  setMovingAverage,
  setTrend,
} from '@querypost/visualization'
import { Plus, X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Choice, TextInput } from '../../ui/inputs.tsx'
import type { ChartFormProps } from './chart-form-props.ts'
import { newNote, newTarget } from './new-lines.ts'
import { NumberField } from './number-field.tsx'
import { Section } from './section.tsx'

/** Targets, notes on days or categories, trends and moving averages. */
export function LinesSection({ chart, fields, rows, onChange }: ChartFormProps) {
  const kind = kindOf(chart)
  if (!isCartesian(kind) && kind !== 'scatter') return null
  const lines = readLines(chart)
  const isSet = lines.length > 0 || hasTrend(chart) || readMovingAverage(chart) !== null
  const note = newNote(chart, { fields, rows })
  const { categoryKey } = readChoice(chart)
  const category = categoryKey === null ? undefined : findColumn(fields, categoryKey)?.field
  const categoryType = category && isTime(category) ? 'date' : category && isNumeric(category) ? 'number' : 'text'
  return (
    <Section title="Lines and notes" isSet={isSet}>
      {lines.map((line, at) => (
        <LineRow
          key={at}
          line={line}
          number={at + 1}
          inputType={line.on === 'value' ? 'number' : categoryType}
          onChange={(change) => onChange(editLine(chart, at, change))}
          onRemove={() => onChange(removeLine(chart, at))}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          icon={<Plus aria-hidden="true" />}
          onClick={() => onChange(addLine(chart, newTarget(chart, { fields, rows })))}
        >
          Add target line
        </Button>
        {note && (
          <Button size="small" icon={<Plus aria-hidden="true" />} onClick={() => onChange(addLine(chart, note))}>
            Add note
          </Button>
        )}
      </div>
      <Choice
        label="Trend line"
        hint="The straight line closest to all values."
        checked={hasTrend(chart)}
        onChange={({ target }) => onChange(setTrend(chart, target.checked))}
      />
      {kind !== 'scatter' && (
        <NumberField
          label="Moving average over"
          hint="The number of values to average, the latest one included."
          placeholder="None"
          isInteger
          min={2}
          max={365}
          value={readMovingAverage(chart)}
          onChange={(points) => onChange(setMovingAverage(chart, points))}
        />
      )}
    </Section>
  )
}

function LineRow(props: {
  line: ChartLine
  number: number
  inputType: 'number' | 'date' | 'text'
  onChange(change: LineChange): void
  onRemove(): void
}) {
  const { line, number, inputType, onChange } = props
  const noun = line.on === 'value' ? 'Target' : 'Note'
  // A handwritten line may be at a text where the axis has dates.
  const type = inputType === 'date' && !/^\d{4}-\d\d-\d\d$/.test(String(line.at)) ? 'text' : inputType
  return (
    <div role="group" aria-label={`${noun} ${number}`} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-2">
      {type === 'number' ? (
        <NumberField
          label={`${noun} ${number}: position`}
          isLabelHidden
          value={typeof line.at === 'number' ? line.at : null}
          onChange={(at) => at !== null && onChange({ at })}
        />
      ) : (
        <Field label={`${noun} ${number}: position`} isLabelHidden>
          <TextInput
            type={type}
            value={String(line.at)}
            onChange={({ target }) => target.value !== '' && onChange({ at: target.value })}
          />
        </Field>
      )}
      <Field label={`${noun} ${number}: text`} isLabelHidden>
        <TextInput
          value={line.label}
          maxLength={100}
          placeholder="Text"
          onChange={({ target }) => onChange({ label: target.value })}
        />
      </Field>
      <IconButton label={`Remove ${noun.toLowerCase()} ${number}`} icon={<X aria-hidden="true" />} onClick={props.onRemove} />
    </div>
  )
}
