import { hasPart, isCartesian, kindOf, readChoice, setHorizontal, setPart } from '@querypost/visualization'
import { Choice } from '../../ui/inputs.tsx'
import type { ChartFormProps } from './chart-form-props.ts'
import { Section } from './section.tsx'

/** The direction of bars, the legend and the grid. */
export function DisplaySection({ chart, onChange }: ChartFormProps) {
  const kind = kindOf(chart)
  const hasAxes = isCartesian(kind) || kind === 'scatter'
  if (!hasAxes && kind !== 'pie') return null
  return (
    <Section title="Display">
      {kind === 'bar' && (
        <Choice
          label="Horizontal bars"
          hint="Makes room for long names."
          checked={readChoice(chart).isHorizontal === true}
          onChange={({ target }) => onChange(setHorizontal(chart, target.checked))}
        />
      )}
      <Choice
        label="Legend"
        checked={hasPart(chart, 'Legend')}
        onChange={({ target }) => onChange(setPart(chart, 'Legend', target.checked))}
      />
      {hasAxes && (
        <Choice
          label="Grid lines"
          checked={hasPart(chart, 'CartesianGrid')}
          onChange={({ target }) => onChange(setPart(chart, 'CartesianGrid', target.checked))}
        />
      )}
    </Section>
  )
}
