import {
  type ChartElement,
  type Field as Column,
  makeNumber,
  readNumber,
  type ShownNumber,
  writeJsxConfig,
} from '@querypost/visualization'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { ColumnSelect } from './column-select.tsx'

/** Selects the value of the first row to show, with its caption and unit. */
export function NumberForm(props: { chart: ChartElement | null; fields: Column[]; onChange(jsxConfig: string): void }) {
  const { chart, fields } = props
  const shown = readNumber(chart)
  const change = (edit: Partial<ShownNumber>) => {
    // A caption and a unit belong to a column; use the first one if none is selected.
    const key = edit.key === undefined ? (shown.key ?? fields[0]?.name ?? null) : edit.key
    const made = makeNumber({ ...shown, ...edit, key })
    props.onChange(made ? writeJsxConfig(made) : '')
  }
  return (
    <>
      <ColumnSelect
        label="Column"
        hint="Shows its value in the first row."
        none="First column"
        value={shown.key}
        fields={fields}
        onChange={(key) => change({ key })}
      />
      <div className="grid grid-cols-[1fr_6rem] gap-2">
        <Field label="Caption">
          <TextInput
            value={shown.caption ?? ''}
            placeholder={shown.key ?? fields[0]?.name}
            maxLength={100}
            onChange={({ target }) => change({ caption: target.value })}
          />
        </Field>
        <Field label="Unit">
          <TextInput value={shown.unit ?? ''} maxLength={20} onChange={({ target }) => change({ unit: target.value })} />
        </Field>
      </div>
    </>
  )
}
