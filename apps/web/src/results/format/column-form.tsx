import {
  type ColumnFormat,
  columnLimits,
  type ColumnSettings,
  type FormatStyle,
  type Granularity,
  granularities,
  type TotalKind,
  totalKinds,
} from '@querypost/visualization'
import type { Field as ResultField } from '../../api/first-rows.ts'
import { Field } from '../../ui/field.tsx'
import { Choice, Select, TextInput } from '../../ui/inputs.tsx'
import { ColorRules } from './color-rules.tsx'
import { type ColumnChange, stylesFor, withStyle } from './edit-columns.ts'

const styleLabels: { [style in FormatStyle]: string } = {
  number: 'Number',
  currency: 'Currency',
  percent: 'Percent',
  unit: 'Number with unit',
  date: 'Date',
  plain: 'As stored',
}
const granularityLabels: { [granularity in Granularity]: string } = {
  year: 'Year', quarter: 'Quarter', month: 'Month', week: 'Week', day: 'Day', hour: 'Hour', minute: 'Minute', second: 'Second',
}
const totalLabels: { [kind in TotalKind]: string } = { sum: 'Sum', average: 'Average', min: 'Minimum', max: 'Maximum', count: 'Count' }

/** The codes that a browser knows, to choose from; any other code of three letters can be typed. */
const currencies = Intl.supportedValuesOf('currency')

/** The title, format, colors and total of one column. */
export function ColumnForm(props: {
  field: ResultField
  settings: ColumnSettings
  /** A value as the settings show it. */
  sample: string | null
  onChange(change: ColumnChange): void
}) {
  const { field, settings, sample, onChange } = props
  const { format } = settings
  const styles = stylesFor(field.type)
  return (
    <div role="group" aria-label={`Settings of ${field.name}`} className="grid content-start gap-4">
      <Field label="Title">
        <TextInput
          value={settings.title ?? ''}
          placeholder={field.name}
          maxLength={columnLimits.titleLength}
          onChange={({ target }) => onChange({ title: target.value === '' ? undefined : target.value })}
        />
      </Field>
      {styles.length > 0 && (
        <Field
          label="Format"
          {...(sample !== null && { hint: <>Example: <span className="text-ink tabular-nums">{shortened(sample)}</span></> })}
        >
          <Select
            value={format?.style ?? ''}
            onChange={({ target }) =>
              onChange({ format: target.value === '' ? undefined : withStyle(format, target.value as FormatStyle) })
            }
          >
            <option value="">Automatic</option>
            {styles.map((style) => <option key={style} value={style}>{styleLabels[style]}</option>)}
          </Select>
        </Field>
      )}
      {format && <FormatFields format={format} onChange={(changed) => onChange({ format: changed })} />}
      <Field label="Total">
        <Select
          value={settings.total ?? ''}
          onChange={({ target }) => onChange({ total: totalKinds.find((kind) => kind === target.value) })}
        >
          <option value="">Automatic</option>
          {totalKinds.map((kind) => <option key={kind} value={kind}>{totalLabels[kind]}</option>)}
        </Select>
      </Field>
      <ColorRules
        field={field}
        rules={settings.colors ?? []}
        onChange={(colors) => onChange({ colors: colors.length === 0 ? undefined : colors })}
      />
    </div>
  )
}

function FormatFields({ format, onChange }: { format: ColumnFormat; onChange(format: ColumnFormat): void }) {
  const { style } = format
  if (style === 'plain') return null
  if (style === 'date') {
    const { granularity: _, ...rest } = format
    return (
      <Field label="Show">
        <Select
          value={format.granularity ?? ''}
          onChange={({ target }) => {
            const granularity = granularities.find((each) => each === target.value)
            onChange(granularity ? { ...rest, granularity } : rest)
          }}
        >
          <option value="">Automatic</option>
          {granularities.map((each) => <option key={each} value={each}>{granularityLabels[each]}</option>)}
        </Select>
      </Field>
    )
  }
  const { decimals: _, ...withoutDecimals } = format
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        {style === 'currency' && (
          <Field label="Currency">
            <Select value={format.currency ?? 'EUR'} onChange={({ target }) => onChange({ ...format, currency: target.value })}>
              {currencies.map((code) => <option key={code} value={code}>{code}</option>)}
            </Select>
          </Field>
        )}
        {style === 'unit' && (
          <Field label="Unit">
            <TextInput
              value={format.unit ?? ''}
              maxLength={columnLimits.unitLength}
              onChange={({ target }) => target.value !== '' && onChange({ ...format, unit: target.value })}
            />
          </Field>
        )}
        <Field label="Decimals">
          <Select
            value={format.decimals ?? ''}
            onChange={({ target }) => onChange(target.value === '' ? withoutDecimals : { ...format, decimals: Number(target.value) })}
          >
            <option value="">Automatic</option>
            {Array.from({ length: columnLimits.decimals + 1 }, (_each, count) => <option key={count} value={count}>{count}</option>)}
          </Select>
        </Field>
      </div>
      <div className="grid gap-2">
        <Choice
          label="Thousands separators"
          checked={format.isGrouped !== false}
          onChange={({ target }) => onChange({ ...format, isGrouped: target.checked })}
        />
        <Choice
          label="Short"
          hint="1,200,000 is shown as 1.2M."
          checked={format.isCompact === true}
          onChange={({ target }) => onChange({ ...format, isCompact: target.checked })}
        />
        {style === 'percent' && (
          <Choice
            label="Values are fractions"
            hint="0.12 is shown as 12%."
            checked={format.isFraction === true}
            onChange={({ target }) => onChange({ ...format, isFraction: target.checked })}
          />
        )}
      </div>
    </>
  )
}

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
