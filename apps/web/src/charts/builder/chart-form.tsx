import {
  type ChartShape,
  editSeries,
  isNumeric,
  isStacked,
  isTime,
  readShape,
  setCategory,
  setHorizontal,
  setPart,
  setStacked,
  setTitle,
} from '@querypost/visualization'
import { Field } from '../../ui/field.tsx'
import { Choice, TextInput } from '../../ui/inputs.tsx'
import type { ChartFormProps } from './chart-form-props.ts'
import { ColumnSelect } from './column-select.tsx'
import { SeriesList } from './series-list.tsx'

const categoryLabel = (kind: ChartShape['kind']) => (kind === 'bar' ? 'Categories' : kind === 'pie' ? 'Names' : 'X axis')

/** Edits the common settings; everything else in the chart stays unchanged. */
export function ChartForm({ chart, fields, onChange }: ChartFormProps) {
  const shape = readShape(chart)
  const { kind } = shape
  const numbers = fields.filter((field) => isNumeric(field) || (kind === 'scatter' && isTime(field)))
  const [first] = shape.series
  const isSingle = kind === 'pie' || kind === 'scatter'
  return (
    <>
      <ColumnSelect
        label={categoryLabel(kind)}
        value={shape.categoryKey}
        fields={kind === 'scatter' ? numbers : fields}
        onChange={(name) => onChange(setCategory(chart, name))}
      />
      {isSingle ? (
        <ColumnSelect
          label={kind === 'pie' ? 'Values' : 'Y axis'}
          value={first?.key ?? null}
          fields={numbers}
          onChange={(name) => name !== null && onChange(editSeries(chart, 0, { key: name }))}
        />
      ) : (
        <SeriesList chart={chart} fields={numbers} onChange={onChange} />
      )}
      {kind !== 'pie' && <AxisTitles chart={chart} onChange={onChange} />}
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-xs font-medium">Display</legend>
        {(kind === 'bar' || kind === 'area') && shape.series.length > 1 && (
          <Choice
            label="Stack series"
            checked={isStacked(chart)}
            onChange={({ target }) => onChange(setStacked(chart, target.checked))}
          />
        )}
        {kind === 'bar' && (
          <Choice
            label="Horizontal bars"
            hint="Makes room for long names."
            checked={shape.isHorizontal}
            onChange={({ target }) => onChange(setHorizontal(chart, target.checked))}
          />
        )}
        <Choice
          label="Legend"
          checked={shape.hasLegend}
          onChange={({ target }) => onChange(setPart(chart, 'Legend', target.checked))}
        />
        {kind !== 'pie' && (
          <Choice
            label="Grid lines"
            checked={shape.hasGrid}
            onChange={({ target }) => onChange(setPart(chart, 'CartesianGrid', target.checked))}
          />
        )}
      </fieldset>
    </>
  )
}

function AxisTitles({ chart, onChange }: Pick<ChartFormProps, 'chart' | 'onChange'>) {
  const { isHorizontal, categoryTitle, valueTitle } = readShape(chart)
  const titles = [
    { of: isHorizontal ? 'value' : 'category', label: 'X axis title', text: isHorizontal ? valueTitle : categoryTitle },
    { of: isHorizontal ? 'category' : 'value', label: 'Y axis title', text: isHorizontal ? categoryTitle : valueTitle },
  ] as const
  return (
    <div className="grid grid-cols-2 gap-2">
      {titles.map(({ of, label, text }) => (
        <Field key={label} label={label}>
          <TextInput
            value={text ?? ''}
            maxLength={100}
            onChange={({ target }) => onChange(setTitle(chart, of, target.value))}
          />
        </Field>
      ))}
    </div>
  )
}
