import {
  canSplit,
  type ChartKind,
  editSeries,
  hasManySeries,
  isNumeric,
  isTime,
  kindOf,
  readChoice,
  setCategory,
  setSize,
  setSplit,
} from '@querypost/visualization'
import type { ChartFormProps } from './chart-form-props.ts'
import { ColumnSelect } from './column-select.tsx'
import { SeriesList } from './series-list.tsx'

const categoryLabels: Partial<Record<ChartKind, string>> = {
  bar: 'Categories',
  pie: 'Names',
  funnel: 'Steps',
  map: 'Countries',
}

/** The columns that the chart draws. */
export function ColumnFields(props: ChartFormProps) {
  const { chart, fields, onChange } = props
  const kind = kindOf(chart)
  const { categoryKey, series, splitKey = null, sizeKey = null } = readChoice(chart)
  const numbers = fields.filter((field) => isNumeric(field) || (kind === 'scatter' && isTime(field)))
  return (
    <>
      {kind !== 'histogram' && (
        <ColumnSelect
          label={categoryLabels[kind] ?? 'X axis'}
          value={categoryKey}
          fields={kind === 'scatter' ? numbers : fields}
          {...(kind === 'map' && { hint: 'Names in English, or two- or three-letter codes.' })}
          onChange={(name) => onChange(setCategory(chart, name))}
        />
      )}
      {kind === 'heatmap' && (
        <ColumnSelect label="Y axis" value={splitKey} fields={fields} onChange={(name) => onChange(setSplit(chart, name))} />
      )}
      {hasManySeries(kind) ? (
        <SeriesList {...props} fields={numbers} />
      ) : (
        <ColumnSelect
          label={kind === 'scatter' ? 'Y axis' : 'Values'}
          value={series[0]?.key ?? null}
          fields={numbers}
          onChange={(name) => name !== null && onChange(editSeries(chart, 0, { key: name }))}
        />
      )}
      {kind === 'scatter' && (
        <ColumnSelect
          label="Size"
          none="Same size"
          value={sizeKey}
          fields={fields.filter(isNumeric)}
          onChange={(name) => onChange(setSize(chart, name))}
        />
      )}
      {canSplit(chart) && (
        <ColumnSelect
          label={kind === 'scatter' ? 'Color' : 'Split by'}
          none={kind === 'scatter' ? 'One color' : 'Don’t split'}
          value={splitKey}
          fields={fields.filter(({ name }) => name !== categoryKey && !series.some(({ key }) => key === name))}
          onChange={(name) => onChange(setSplit(chart, name))}
        />
      )}
    </>
  )
}
