import {
  type Arrangement,
  arrangementOf,
  defaultTopN,
  kindOf,
  readBins,
  readChoice,
  readTopN,
  setArrangement,
  setBins,
  setTopN,
} from '@querypost/visualization'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/inputs.tsx'
import type { ChartFormProps } from './chart-form-props.ts'
import { NumberField } from './number-field.tsx'
import { Section } from './section.tsx'

const arrangements: Record<Arrangement, string> = {
  grouped: 'Side by side',
  stacked: 'Stacked',
  expanded: 'Stacked to 100%',
}

/** How several series share the chart, and into how many bars a histogram divides its values. */
export function SeriesSection({ chart, onChange }: ChartFormProps) {
  const kind = kindOf(chart)
  const { series, splitKey = null } = readChoice(chart)
  const isSplit = splitKey !== null && kind !== 'heatmap'
  const isStackable = (kind === 'bar' || kind === 'area') && (isSplit || series.length > 1)
  if (!isSplit && !isStackable && kind !== 'histogram') return null
  const arrangement = arrangementOf(chart)
  return (
    <Section title="Series" isSet={isStackable || kind === 'histogram'}>
      {isStackable && (
        <Field label="Arrange series">
          <Select
            value={arrangement}
            onChange={({ target }) => onChange(setArrangement(chart, target.value as Arrangement))}
          >
            {(Object.keys(arrangements) as Arrangement[]).map((each) => (
              <option key={each} value={each}>
                {each === 'grouped' && kind === 'area' ? 'Overlapping' : arrangements[each]}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {isSplit && (
        <NumberField
          label="Number of series"
          hint="Draws the largest ones and combines the others."
          placeholder={String(defaultTopN)}
          isInteger
          min={1}
          max={50}
          value={readTopN(chart)}
          onChange={(topN) => onChange(setTopN(chart, topN))}
        />
      )}
      {kind === 'histogram' && (
        <NumberField
          label="Number of bars"
          placeholder="Automatic"
          isInteger
          min={1}
          max={200}
          value={readBins(chart)}
          onChange={(bins) => onChange(setBins(chart, bins))}
        />
      )}
    </Section>
  )
}
