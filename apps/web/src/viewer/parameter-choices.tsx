import type { SharedParameter } from '../api/generated/schemas.ts'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/inputs.tsx'
import type { ViewerValues } from './viewer-client.ts'

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
        const { name, displayName, choices, isList } = parameter
        const current = values[name] ?? parameter.value
        const choose = (text: string) => {
          const { [name]: _, ...others } = values
          const value = (choices ?? []).find((choice) => String(choice.value) === text)?.value
          props.onChange(value === undefined ? others : { ...others, [name]: isList ? [value] : value })
        }
        const several = Array.isArray(current) && current.length !== 1
        return (
          <Field key={name} label={displayName} className="min-w-40">
            <Select value={several ? '' : String([current].flat()[0] ?? '')} onChange={({ target }) => choose(target.value)}>
              {several && <option value="">{current.length === 0 ? 'None' : current.join(', ')}</option>}
              {(choices ?? []).map(({ value, label }) => <option key={String(value)} value={String(value)}>{label === '' ? '(empty)' : label}</option>)}
            </Select>
          </Field>
        )
      })}
    </div>
  )
}
