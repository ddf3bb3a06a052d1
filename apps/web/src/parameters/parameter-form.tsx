import type { ReactNode } from 'react'
import type { ParameterDefinition } from '../api/references.ts'
import { ParameterBar } from './parameter-bar.tsx'
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
      <ParameterBar definitions={parameters} values={values} faults={faults} onChange={props.onChange} onEdit={onEdit} />
      {props.children !== undefined && (
        <div className={`flex flex-wrap gap-2 ${parameters.length > 0 ? 'pt-5' : ''}`}>{props.children}</div>
      )}
    </form>
  )
}
