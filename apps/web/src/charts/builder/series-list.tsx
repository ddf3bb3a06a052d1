import {
  addSeries,
  type ChartElement,
  comboParts,
  editSeries,
  kindOf,
  readChoice,
  removeSeries,
  type SeriesChange,
  type SeriesChoice,
} from '@querypost/visualization'
import { Plus, RotateCcw, X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Choice, Select, TextInput } from '../../ui/inputs.tsx'
import { useChartTheme } from '../use-chart-theme.ts'
import type { ChartFormProps } from './chart-form-props.ts'
import { ColumnSelect } from './column-select.tsx'
import { nextColumn } from './draft.ts'

/** The drawn columns, each with its label and color. */
export function SeriesList({ chart, fields, onChange }: Omit<ChartFormProps, 'rows'>) {
  const { series } = readChoice(chart)
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

interface SeriesRowProps extends Omit<ChartFormProps, 'rows'> {
  one: SeriesChoice
  at: number
  isOnly: boolean
}

function SeriesRow({ chart, fields, onChange, one, at, isOnly }: SeriesRowProps) {
  const { palette } = useChartTheme()
  const number = at + 1
  const change = (edit: SeriesChange) => onChange(editSeries(chart, at, edit))
  const name = one.name ?? one.key
  return (
    <div role="group" aria-label={`Values ${number}`} className="grid gap-2 rounded-md border border-line p-2.5">
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <ColumnSelect
            label={`Column ${number}`}
            isLabelHidden
            value={one.key}
            fields={fields}
            onChange={(key) => key !== null && change({ key })}
          />
        </div>
        {!isOnly && (
          <IconButton
            label={`Remove ${name}`}
            icon={<X aria-hidden="true" />}
            onClick={() => onChange(removeSeries(chart, at))}
          />
        )}
      </div>
      {kindOf(chart) === 'combo' && <ComboFields {...{ one, number, change }} />}
      {isColored(chart) && (
        <div className="flex items-end gap-1">
          <Field label={`Label ${number}`} isLabelHidden className="flex-1">
            <TextInput
              placeholder={one.key}
              maxLength={100}
              value={one.name ?? ''}
              onChange={({ target }) => change({ name: target.value })}
            />
          </Field>
          <input
            type="color"
            aria-label={`Color of ${name}`}
            className="h-8.5 w-10 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1"
            value={hexOf(one.color) ?? palette[at % palette.length]}
            onChange={({ target }) => change({ color: target.value })}
          />
          {one.color !== undefined && (
            <IconButton
              label={`Reset color of ${name}`}
              icon={<RotateCcw aria-hidden="true" />}
              onClick={() => change({ color: '' })}
            />
          )}
        </div>
      )}
    </div>
  )
}

/** The series of a split are named and colored by the values of its column. */
const isColored = (chart: ChartElement) => readChoice(chart).splitKey === null

const comboLabels = { bar: 'Bars', line: 'Line', area: 'Area' }

function ComboFields(props: { one: SeriesChoice; number: number; change(edit: SeriesChange): void }) {
  const { one, number, change } = props
  return (
    <div className="grid grid-cols-2 items-center gap-2">
      <Field label={`Draw column ${number} as`} isLabelHidden>
        <Select
          value={one.drawnAs}
          onChange={({ target }) => change({ drawnAs: comboParts.find((part) => part === target.value)! })}
        >
          {comboParts.map((part) => <option key={part} value={part}>{comboLabels[part]}</option>)}
        </Select>
      </Field>
      <Choice
        label="Right axis"
        aria-label={`Right axis for column ${number}`}
        checked={one.isOnRight === true}
        onChange={({ target }) => change({ isOnRight: target.checked })}
      />
    </div>
  )
}

const hexOf = (color: string | undefined) => (color !== undefined && /^#[\da-f]{6}$/i.test(color) ? color : undefined)
