import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'

/** A number that may be left empty. */
export function NumberField(props: {
  label: string
  value: number | null
  placeholder?: string
  hint?: string
  min?: number
  max?: number
  isInteger?: boolean
  isLabelHidden?: boolean
  onChange(value: number | null): void
}) {
  const { label, value, placeholder, hint, min, max, isInteger = false, isLabelHidden = false } = props
  const change = (entered: number) => {
    if (Number.isNaN(entered)) return props.onChange(null)
    const whole = isInteger ? Math.round(entered) : entered
    props.onChange(Math.min(max ?? whole, Math.max(min ?? whole, whole)))
  }
  return (
    <Field label={label} isLabelHidden={isLabelHidden} {...(hint !== undefined && { hint })}>
      <TextInput
        type="number"
        step={isInteger ? 1 : 'any'}
        min={min}
        max={max}
        placeholder={placeholder}
        value={value ?? ''}
        onChange={({ target }) => change(target.valueAsNumber)}
      />
    </Field>
  )
}
