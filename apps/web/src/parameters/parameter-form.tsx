import { Settings2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ParameterDefinition } from '../api/references.ts'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { labelOf } from './label-of.ts'
import { ParameterInput } from './parameter-input.tsx'
import type { Values } from './values.ts'

/**
 * A field for each parameter, followed by the actions in `children`. The service validates the values, since its messages are
 * clearer than the browser's built-in ones.
 */
export function ParameterForm(props: {
  parameters: ParameterDefinition[]
  values: Values
  /** What is wrong with values, by the names of their parameters. */
  faults?: Record<string, string>
  onChange(values: Values): void
  onLeaveField?(): void
  onSubmit(): void
  /** Opens the settings of a parameter; omit it where definitions cannot be changed. */
  onEdit?(name: string): void
  children?: ReactNode
}) {
  const { parameters, values, faults = {}, onEdit } = props
  return (
    <form
      className="flex flex-wrap items-start gap-x-3 gap-y-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit()
      }}
      onBlur={props.onLeaveField}
    >
      {parameters.map((parameter) => (
        <div key={parameter.name} className="relative w-[calc(50%-0.375rem)] min-w-0 sm:w-48">
          <Field
            label={labelOf(parameter)}
            fault={faults[parameter.name]}
            {...(parameter.description !== '' && { hint: parameter.description })}
          >
            <ParameterInput
              type={parameter.type}
              name={parameter.name}
              value={values[parameter.name] ?? ''}
              onChange={(value) => props.onChange({ ...values, [parameter.name]: value })}
            />
          </Field>
          {onEdit && (
            <IconButton
              className="absolute -top-1 right-0 size-6!"
              label={`Settings for ${labelOf(parameter)}`}
              icon={<Settings2 />}
              onClick={() => onEdit(parameter.name)}
            />
          )}
        </div>
      ))}
      {props.children !== undefined && (
        <div className={`flex flex-wrap gap-2 ${parameters.length > 0 ? 'pt-5' : ''}`}>{props.children}</div>
      )}
    </form>
  )
}
