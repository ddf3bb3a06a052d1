import type { ChartFault, Visualization } from '@querypost/visualization'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/inputs.tsx'

const hint =
  'Chart elements with literal values: strings, numbers, booleans, null, arrays and objects. ' +
  'No code is executed.'

/** Edits the stored JSX, with errors shown while typing. */
export function JsxText(props: { value: Visualization; fault: ChartFault | null; onChange(jsxConfig: string): void }) {
  const { value, fault } = props
  return (
    <Field
      label="Chart JSX"
      fault={fault ? `It ${fault.problem}.` : undefined}
      hint={value.type === 'table' ? 'A table has no JSX.' : hint}
    >
      <TextArea
        rows={16}
        disabled={value.type === 'table'}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        className="font-mono text-xs"
        value={value.jsxConfig}
        onChange={({ target }) => props.onChange(target.value)}
      />
    </Field>
  )
}
