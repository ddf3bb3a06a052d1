import {
  addSeries,
  type ChartElement,
  editSeries,
  type Field as Column,
  isNumeric,
  type PivotGroups,
  readGroups,
  readPivotConfig,
  removeSeries,
  setGroups,
  totalKinds,
} from '@querypost/visualization'
import { Plus, X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Select } from '../../ui/inputs.tsx'
import type { ChartFormProps } from './chart-form-props.ts'
import { ColumnSelect } from './column-select.tsx'
import { nextColumn } from './draft.ts'

const aggregateLabels = { sum: 'Sum', average: 'Average', min: 'Lowest', max: 'Highest', count: 'Count' }

/** The columns that group a pivot table, down and across, and the values for each combination. */
export function PivotForm({ chart, fields, onChange }: ChartFormProps) {
  const { rows, columns, values } = readPivotConfig(chart)
  const taken = new Set([...rows, ...columns])
  const next = nextColumn(chart, fields)
  return (
    <>
      <Groups {...{ chart, fields, onChange, taken }} name="PivotRow" legend="Rows" noun="row" />
      <Groups {...{ chart, fields, onChange, taken }} name="PivotColumn" legend="Columns" noun="column" />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-xs font-medium">Values</legend>
        {values.map(({ key, aggregate }, at) => (
          <div key={at} role="group" aria-label={`Values ${at + 1}`} className="grid grid-cols-[minmax(0,1fr)_6.5rem_auto] items-start gap-1">
            <ColumnSelect
              label={`Value ${at + 1}`}
              isLabelHidden
              value={key}
              fields={aggregate === 'count' ? fields : fields.filter(isNumeric)}
              onChange={(name) => name !== null && onChange(editSeries(chart, at, { key: name }))}
            />
            <Field label={`Combine value ${at + 1} by`} isLabelHidden>
              <Select
                value={aggregate}
                onChange={({ target }) => onChange(editSeries(chart, at, { aggregate: totalKinds.find((kind) => kind === target.value)! }))}
              >
                {totalKinds.map((kind) => <option key={kind} value={kind}>{aggregateLabels[kind]}</option>)}
              </Select>
            </Field>
            {values.length > 1 && (
              <IconButton
                label={`Remove value ${at + 1}`}
                icon={<X aria-hidden="true" />}
                onClick={() => onChange(removeSeries(chart, at))}
              />
            )}
          </div>
        ))}
        {next && <AddButton label="Add value" onClick={() => onChange(addSeries(chart, { key: next.name }))} />}
      </fieldset>
    </>
  )
}

function Groups(props: {
  chart: ChartElement
  fields: Column[]
  taken: ReadonlySet<string>
  name: PivotGroups
  legend: string
  noun: string
  onChange(chart: ChartElement): void
}) {
  const { chart, fields, taken, name, legend, noun } = props
  const keys = readGroups(chart, name)
  const set = (changed: string[]) => props.onChange(setGroups(chart, name, changed))
  const free = fields.find((field) => !taken.has(field.name) && !isNumeric(field)) ?? fields.find((field) => !taken.has(field.name))
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-xs font-medium">{legend}</legend>
      {keys.map((key, at) => (
        <div key={key} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <ColumnSelect
              label={`Group ${noun} ${at + 1}`}
              isLabelHidden
              value={key}
              fields={fields.filter((field) => field.name === key || !taken.has(field.name))}
              onChange={(chosen) => chosen !== null && set(keys.with(at, chosen))}
            />
          </div>
          <IconButton label={`Remove ${key}`} icon={<X aria-hidden="true" />} onClick={() => set(keys.toSpliced(at, 1))} />
        </div>
      ))}
      {free && <AddButton label={`Add ${noun}`} onClick={() => set([...keys, free.name])} />}
    </fieldset>
  )
}

function AddButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <Button size="small" className="justify-self-start" icon={<Plus aria-hidden="true" />} onClick={onClick}>
      {label}
    </Button>
  )
}
