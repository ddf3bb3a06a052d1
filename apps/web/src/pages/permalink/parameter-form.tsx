import { type SubmitEvent, useId } from 'react'
import type { ParameterDefinition } from '../../api/references.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { ParameterInput } from './parameter-input.tsx'
import type { Values } from './values.ts'

export function ParameterForm(props: {
  parameters: ParameterDefinition[]
  values: Values
  runLabel: string
  isBusy: boolean
  onChange(values: Values): void
  onLeaveField(): void
  onRun(): void
}) {
  const { parameters, values } = props
  const formId = useId()
  const hintId = ({ name }: ParameterDefinition) => `${formId}-${name}`
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    props.onRun()
  }
  return (
    // The service judges the values; its words are better than a browser's bubble.
    <form className="parameters" onSubmit={submit} onBlur={props.onLeaveField} noValidate>
      {parameters.map((parameter) => (
        <Field key={parameter.name} label={labelOf(parameter)} hint={{ id: hintId(parameter), text: parameter.description }}>
          <ParameterInput
            parameter={parameter}
            hintId={hintId(parameter)}
            value={values[parameter.name] ?? ''}
            onChange={(value) => props.onChange({ ...values, [parameter.name]: value })}
          />
        </Field>
      ))}
      <div className="actions">
        <Button type="submit" kind="primary" disabled={props.isBusy}>
          {props.runLabel}
        </Button>
      </div>
    </form>
  )
}

function labelOf({ displayName, name, type }: ParameterDefinition): string {
  const label = displayName || name
  return type === 'timestamp' ? `${label} (UTC)` : label
}
