import {
  type ChartElement,
  findColumn,
  isCartesian,
  isLogarithmic,
  isTime,
  kindOf,
  type MissingChoice,
  missingChoices,
  readChoice,
  readLimits,
  readMissing,
  readTitle,
  setLimits,
  setLogarithmic,
  setMissing,
  setTitle,
} from '@querypost/visualization'
import { Field } from '../../ui/field.tsx'
import { Choice, Select, TextInput } from '../../ui/inputs.tsx'
import type { ChartFormProps } from './chart-form-props.ts'
import { NumberField } from './number-field.tsx'
import { Section } from './section.tsx'

const missingLabels: Record<MissingChoice, string> = {
  gap: 'Leave a gap',
  zero: 'Show as zero',
  connect: 'Connect the values around them',
}

/** Titles, limits and scales of the axes, and how periods without rows are drawn. */
export function AxesSection(props: ChartFormProps) {
  const { chart, fields, onChange } = props
  const kind = kindOf(chart)
  if (kind === 'pie' || kind === 'funnel' || kind === 'map') return null
  const hasValueAxis = isCartesian(kind) || kind === 'scatter'
  const { categoryKey } = readChoice(chart)
  const category = categoryKey === null ? undefined : findColumn(fields, categoryKey)
  const limits = readLimits(chart, 'value')
  const isSet = limits.min !== null || limits.max !== null || isLogarithmic(chart, 'value') || readMissing(chart) !== null
  return (
    <Section title="Axes" isSet={isSet}>
      <AxisTitles chart={chart} onChange={onChange} />
      {hasValueAxis && (
        <>
          <div className="grid grid-cols-2 gap-2">
            <NumberField
              label="Minimum"
              placeholder="Automatic"
              value={limits.min}
              onChange={(min) => onChange(setLimits(chart, 'value', { ...limits, min }))}
            />
            <NumberField
              label="Maximum"
              placeholder="Automatic"
              value={limits.max}
              onChange={(max) => onChange(setLimits(chart, 'value', { ...limits, max }))}
            />
          </div>
          <Choice
            label="Logarithmic scale"
            hint="For values that differ by powers of ten."
            checked={isLogarithmic(chart, 'value')}
            onChange={({ target }) => onChange(setLogarithmic(chart, 'value', target.checked))}
          />
        </>
      )}
      {isCartesian(kind) && category && isTime(category.field) && (
        <Field label="Periods without rows">
          <Select
            value={readMissing(chart) ?? ''}
            onChange={({ target }) => onChange(setMissing(chart, missingChoices.find((each) => each === target.value) ?? null))}
          >
            <option value="">Leave out</option>
            {missingChoices.map((each) => <option key={each} value={each}>{missingLabels[each]}</option>)}
          </Select>
        </Field>
      )}
    </Section>
  )
}

function AxisTitles({ chart, onChange }: { chart: ChartElement; onChange(chart: ChartElement): void }) {
  const { isHorizontal, series } = readChoice(chart)
  const hasRightAxis = series.some(({ isOnRight }) => isOnRight)
  const titles = [
    { of: isHorizontal ? 'value' : 'category', label: 'X axis title' },
    { of: isHorizontal ? 'category' : 'value', label: hasRightAxis ? 'Left axis title' : 'Y axis title' },
    ...(hasRightAxis ? [{ of: 'right', label: 'Right axis title' } as const] : []),
  ] as const
  return (
    <div className="grid grid-cols-2 gap-2">
      {titles.map(({ of, label }) => (
        <Field key={label} label={label}>
          <TextInput
            value={readTitle(chart, of) ?? ''}
            maxLength={100}
            onChange={({ target }) => onChange(setTitle(chart, of, target.value))}
          />
        </Field>
      ))}
    </div>
  )
}
