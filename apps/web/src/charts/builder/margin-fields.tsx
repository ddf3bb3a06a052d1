import { type MarginConfig, marginMax, marginSides } from '@querypost/visualization'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Section } from './section.tsx'

const labels = { top: 'Top', right: 'Right', bottom: 'Bottom', left: 'Left' }

/** The margins of the chart, in pixels. */
export function MarginFields({ margin, onChange }: { margin: MarginConfig; onChange(margin: MarginConfig): void }) {
  return (
    <Section title="Margins">
      <div className="grid grid-cols-4 gap-2">
        {marginSides.map((side) => (
          <Field key={side} label={labels[side]}>
            <TextInput
              type="number"
              min={-marginMax}
              max={marginMax}
              value={margin[side]}
              onChange={({ target }) => onChange({ ...margin, [side]: clampMargin(target.valueAsNumber) })}
            />
          </Field>
        ))}
      </div>
    </Section>
  )
}

const clampMargin = (value: number) => (Number.isNaN(value) ? 0 : Math.min(marginMax, Math.max(-marginMax, value)))
