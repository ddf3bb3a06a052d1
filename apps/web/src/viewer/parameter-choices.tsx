import type { SharedParameter } from '../api/generated/schemas.ts'
import { describeRange } from '../parameters/describe-range.ts'
import { Field } from '../ui/field.tsx'
import { Select, TextInput } from '../ui/inputs.tsx'
import type { ViewerValues } from './viewer-client.ts'

const labelOf = ({ type }: SharedParameter, label: string) => (type === 'dateRange' ? describeRange(label) : label === '' ? '(empty)' : label)

/** The parameters that the viewer may change. A choice takes effect at once. */
export function ParameterChoices(props: {
  parameters: SharedParameter[]
  values: ViewerValues
  onChange(values: ViewerValues): void
}) {
  const { parameters, values } = props
  return (
    <div className="flex flex-wrap gap-3" role="group" aria-label="Parameters">
      {parameters.map((parameter) => {
        const { name, displayName, choices } = parameter
        const { [name]: _, ...others } = values
        const current = values[name] ?? parameter.value
        const choose = (value: Single | undefined) =>
          props.onChange(value === undefined ? others : { ...others, [name]: parameter.isList ? [value] : value })
        return (
          <Field key={name} label={displayName} className="min-w-40">
            {choices ? (
              <ChoiceOf parameter={parameter} choices={choices} current={current} onChoose={choose} />
            ) : (
              <FreeValue parameter={parameter} current={current} onChoose={choose} />
            )}
          </Field>
        )
      })}
    </div>
  )
}

type Single = string | number | boolean

interface InputProps {
  parameter: SharedParameter
  current: SharedParameter['value']
  /** Undefined for the initial value. */
  onChoose(value: Single | undefined): void
}

function ChoiceOf({ parameter, choices, current, onChoose }: InputProps & { choices: NonNullable<SharedParameter['choices']> }) {
  const several = Array.isArray(current) && current.length !== 1
  return (
    <Select
      value={several ? '' : String([current].flat()[0] ?? '')}
      onChange={({ target }) => onChoose(choices.find(({ value }) => String(value) === target.value)?.value)}
    >
      {several && <option value="">{current.length === 0 ? 'None' : current.join(', ')}</option>}
      {choices.map(({ value, label }) => <option key={String(value)} value={String(value)}>{labelOf(parameter, label)}</option>)}
    </Select>
  )
}

/** Any value of the parameter's type. It takes effect when the field is left. */
function FreeValue({ parameter: { type }, current, onChoose }: InputProps) {
  return (
    <TextInput
      // A click on a chart can change the value too.
      key={String(current)}
      type={type === 'date' ? 'date' : 'text'}
      defaultValue={current === null ? '' : [current].flat().join(', ')}
      onBlur={({ target }) => {
        if (target.value !== String(current ?? '')) onChoose(target.value === '' ? undefined : target.value)
      }}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
    />
  )
}
