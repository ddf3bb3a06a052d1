import { Settings2 } from 'lucide-react'
import type { ParameterDefinition } from '../api/references.ts'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { labelOf } from './label-of.ts'
import { ParameterInput } from './parameter-input.tsx'
import type { Values } from './values.ts'

/** A field for each parameter, side by side. The parent lays them out in a wrapping row. */
export function ParameterBar(props: {
  definitions: ParameterDefinition[]
  values: Values
  /** What is wrong with values, by the names of their parameters. */
  faults?: Record<string, string>
  /** Notes below the fields, by the names of their parameters, after their descriptions. */
  notes?: Record<string, string>
  onChange(values: Values): void
  /** Opens the settings of a parameter; omit it where definitions cannot be changed. */
  onEdit?: ((name: string) => void) | undefined
}) {
  const { definitions, values, faults = {}, notes = {}, onEdit } = props
  return definitions.map((definition) => {
    const hint = [definition.description, notes[definition.name]].filter(Boolean).join(' ')
    const isWide = definition.isList === true || definition.type === 'dateRange'
    return (
      <div
        key={definition.name}
        className={`relative min-w-0 ${isWide ? 'w-full sm:w-64' : 'w-[calc(50%-0.375rem)] sm:w-48'}`}
      >
        <Field label={labelOf(definition)} fault={faults[definition.name]} {...(hint !== '' && { hint })}>
          <ParameterInput
            definition={definition}
            value={values[definition.name] ?? (definition.isList ? [] : '')}
            values={values}
            onChange={(value) => props.onChange({ ...values, [definition.name]: value })}
          />
        </Field>
        {onEdit && (
          <IconButton
            className="absolute -top-1 right-0 size-6!"
            label={`Settings for ${labelOf(definition)}`}
            icon={<Settings2 />}
            onClick={() => onEdit(definition.name)}
          />
        )}
      </div>
    )
  })
}
