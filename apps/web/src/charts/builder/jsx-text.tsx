import type { ChartFault, Visualization } from '@querypost/visualization'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/inputs.tsx'

const hint =
  'Recharts elements with literal values: text, numbers, true, false, null, lists and objects of them. ' +
  'Nothing in it is ever run.'

/** The chart as it is stored. What is wrong with it is told while it is written. */
export function JsxText(props: { value: Visualization; fault: ChartFault | null; onChange(jsxConfig: string): void }) {
  const { value, fault } = props
  return (
    <Field
      label="Chart as JSX"
      fault={fault ? `It ${fault.problem}.` : undefined}
      hint={value.type === 'table' ? 'A table has no text.' : hint}
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
