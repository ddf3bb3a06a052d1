import { addSeries, editSeries, readShape, removeSeries, type Series, type SeriesChange } from '@querypost/visualization'
import { Plus, RotateCcw, X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import type { ChartFormProps } from './chart-form-props.ts'
import { ColumnSelect } from './column-select.tsx'
import { nextColumn } from './draft.ts'

/** The pages' light palette as hex colors, the only kind the browser's color picker accepts. */
const palette = ['#2b7a86', '#d0792b', '#6d5fb0', '#b8456b', '#5f8a3a', '#8a6d3b', '#3d68b5', '#7a7f83']

/** The drawn columns, each with its label and color. */
export function SeriesList({ chart, fields, onChange }: ChartFormProps) {
  const { series } = readShape(chart)
  const next = nextColumn(chart, fields)
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-xs font-medium">Values</legend>
      {series.map((one, at) => (
        <SeriesRow key={at} {...{ chart, fields, onChange, one, at }} isOnly={series.length === 1} />
      ))}
      {next ? (
        <Button
          size="small"
          className="justify-self-start"
          icon={<Plus aria-hidden="true" />}
          onClick={() => onChange(addSeries(chart, { key: next.name }))}
        >
          Add column
        </Button>
      ) : (
        <p className="text-xs text-soft">The result has no numeric columns.</p>
      )}
    </fieldset>
  )
}

function SeriesRow(props: ChartFormProps & { one: Series; at: number; isOnly: boolean }) {
  const { chart, fields, onChange, one, at, isOnly } = props
  const number = at + 1
  const change = (edit: SeriesChange) => editSeries(chart, at, edit)
  const hasName = one.name !== one.key
  return (
    <div role="group" aria-label={`Values ${number}`} className="grid gap-2 rounded-md border border-line p-2.5">
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <ColumnSelect
            label={`Column ${number}`}
            isLabelHidden
            value={one.key}
            fields={fields}
            onChange={(key) => key !== null && onChange(change({ key }))}
          />
        </div>
        {!isOnly && (
          <IconButton
            label={`Remove ${one.name}`}
            icon={<X aria-hidden="true" />}
            onClick={() => onChange(removeSeries(chart, at))}
          />
        )}
      </div>
      <div className="flex items-end gap-1">
        <Field label={`Label ${number}`} isLabelHidden className="flex-1">
          <TextInput
            placeholder={one.key ?? 'Label'}
            maxLength={100}
            value={hasName ? one.name : ''}
            onChange={({ target }) => onChange(change({ name: target.value }))}
          />
        </Field>
        <input
          type="color"
          aria-label={`Color of ${one.name}`}
          className="h-8.5 w-10 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1"
          value={hexOf(one.color) ?? palette[at % palette.length]}
          onChange={({ target }) => onChange(change({ color: target.value }))}
        />
        {one.color !== null && (
          <IconButton
            label={`Reset color of ${one.name}`}
            icon={<RotateCcw aria-hidden="true" />}
            onClick={() => onChange(change({ color: '' }))}
          />
        )}
      </div>
    </div>
  )
}

const hexOf = (color: string | null) => (color !== null && /^#[\da-f]{6}$/i.test(color) ? color : undefined)
