import {
  type ChartElement,
  editNumber,
  type Field as Column,
  isTime,
  readNumber,
  type ShownNumber,
  writeJsxConfig,
} from '@querypost/visualization'
import { Field } from '../../ui/field.tsx'
import { Choice, TextInput } from '../../ui/inputs.tsx'
import { ColumnSelect } from './column-select.tsx'
import { NumberField } from './number-field.tsx'

/** The value to show in large type, and what it is compared with. */
export function NumberForm(props: { chart: ChartElement | null; fields: Column[]; onChange(jsxConfig: string): void }) {
  const { chart, fields } = props
  const shown = readNumber(chart)
  const change = (edit: Partial<ShownNumber>) => {
    // Every setting belongs to a column; use the first one if none is selected.
    const key = edit.key === undefined ? (shown.key ?? fields[0]?.name ?? null) : edit.key
    const made = editNumber(chart, { ...edit, key })
    props.onChange(made ? writeJsxConfig(made) : '')
  }
  const times = fields.filter(isTime)
  return (
    <>
      <ColumnSelect label="Column" none="First column" value={shown.key} fields={fields} onChange={(key) => change({ key })} />
      {(times.length > 0 || shown.timeKey !== null) && (
        <ColumnSelect
          label="Period"
          hint={shown.timeKey === null ? 'Shows the value in the first row.' : 'Shows the value of the latest period.'}
          none="None"
          value={shown.timeKey}
          fields={times}
          onChange={(timeKey) => change({ timeKey, ...(timeKey !== null && shown.timeKey === null && { isCompared: true, hasSparkline: true }) })}
        />
      )}
      {shown.timeKey !== null && (
        <div className="grid gap-2">
          <Choice
            label="Compare with the previous period"
            checked={shown.isCompared}
            onChange={({ target }) => change({ isCompared: target.checked })}
          />
          <Choice
            label="Sparkline"
            hint="A small line of all periods."
            checked={shown.hasSparkline}
            onChange={({ target }) => change({ hasSparkline: target.checked })}
          />
        </div>
      )}
      <NumberField label="Target" placeholder="None" value={shown.target} onChange={(target) => change({ target })} />
      {(shown.target !== null || shown.isCompared) && (
        <Choice
          label="Lower is better"
          hint="For costs, errors and waiting times."
          checked={shown.isLowerBetter}
          onChange={({ target }) => change({ isLowerBetter: target.checked })}
        />
      )}
      <div className="grid grid-cols-[1fr_6rem] gap-2">
        <Field label="Caption">
          <TextInput
            value={shown.caption ?? ''}
            placeholder={shown.key ?? fields[0]?.name}
            maxLength={100}
            onChange={({ target }) => change({ caption: target.value })}
          />
        </Field>
        <Field label="Unit">
          <TextInput value={shown.unit ?? ''} maxLength={20} onChange={({ target }) => change({ unit: target.value })} />
        </Field>
      </div>
    </>
  )
}
