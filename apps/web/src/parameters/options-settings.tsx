import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { listReferences, type ParameterDefinition } from '../api/references.ts'
import { Field } from '../ui/field.tsx'
import { Choice, Select, TextArea, TextInput } from '../ui/inputs.tsx'
import { ColumnSelect } from './column-select.tsx'
import { isShortId, linesOf, type OptionsKind, optionsKindOf, readShortId, valuesOfLines, withOptionsKind } from './edit-definition.ts'
import { useColumns } from '../results/use-columns.ts'
import { labelOf } from './label-of.ts'

const kinds: Record<OptionsKind, string> = {
  none: 'Any value',
  values: 'A fixed list',
  reference: 'The result of a saved query',
}

/** Edits what people choose from. */
export function OptionsSettings(props: {
  draft: ParameterDefinition
  /** The other parameters, on which options can depend. */
  others: ParameterDefinition[]
  fault(field: string): string | undefined
  onChange(draft: ParameterDefinition): void
}) {
  const { draft, fault, onChange } = props
  const kind = optionsKindOf(draft)
  // An error below the options is shown at its own field.
  const hasFaultOfField = ['values', 'referenceShortId', 'valueColumn', 'labelColumn', 'dependsOn'].some((field) => fault(`options/${field}`))
  return (
    <>
      <Field label="Choose from" fault={hasFaultOfField ? undefined : fault('options')}>
        <Select value={kind} onChange={(event) => onChange(withOptionsKind(draft, event.target.value as OptionsKind))}>
          {Object.entries(kinds).map(([value, name]) => (
            <option key={value} value={value}>{name}</option>
          ))}
        </Select>
      </Field>
      {kind === 'values' && <FixedOptions {...props} />}
      {kind === 'reference' && <ReferenceOptions {...props} />}
    </>
  )
}

type Props = Parameters<typeof OptionsSettings>[0]

function FixedOptions({ draft, fault, onChange }: Props) {
  const { options = {} } = draft
  // The text is the state: reading it and writing it back would remove spaces while people type.
  const [text, setText] = useState(() => linesOf(options))
  return (
    <Field label="Options" fault={fault('options/values')} hint="One per line: a value, or value = label.">
      <TextArea
        value={text}
        placeholder={'DE = Germany\nFR = France'}
        onChange={(event) => {
          setText(event.target.value)
          onChange({ ...draft, options: { values: valuesOfLines(event.target.value) } })
        }}
      />
    </Field>
  )
}

function ReferenceOptions({ draft, others, fault, onChange }: Props) {
  const listId = useId()
  const { options = {} } = draft
  const references = useQuery({ queryKey: ['references', 'for-options'], queryFn: ({ signal }) => listReferences({ limit: 100, signal }) })
  const { referenceShortId = '', labelColumn, dependsOn = [], ...rest } = options
  const columns = useColumns(isShortId(referenceShortId) ? referenceShortId : undefined)
  const change = (changes: Partial<typeof options>) => onChange({ ...draft, options: { ...options, ...changes } })
  const withDependencies = (names: string[]) =>
    onChange({ ...draft, options: { ...rest, referenceShortId, ...(labelColumn !== undefined && { labelColumn }), ...(names.length > 0 && { dependsOn: names }) } })
  return (
    <>
      <Field label="Saved query" fault={fault('options/referenceShortId')} hint="Its permalink or short id.">
        <TextInput
          list={listId}
          autoComplete="off"
          value={referenceShortId}
          onChange={(event) => change({ referenceShortId: readShortId(event.target.value) })}
        />
      </Field>
      <datalist id={listId}>
        {references.data?.items.map(({ shortId, title }) => <option key={shortId} value={shortId}>{title}</option>)}
      </datalist>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Column with the values" fault={fault('options/valueColumn')}>
          <ColumnSelect columns={columns} empty="Choose…" value={options.valueColumn ?? ''} onChange={(valueColumn) => change({ valueColumn })} />
        </Field>
        <Field label="Column with the labels" fault={fault('options/labelColumn')}>
          <ColumnSelect
            columns={columns}
            empty="Same as the values"
            value={labelColumn ?? ''}
            onChange={(chosen) =>
              onChange({
                ...draft,
                options: {
                  ...rest,
                  referenceShortId,
                  ...(chosen !== '' && { labelColumn: chosen }),
                  ...(dependsOn.length > 0 && { dependsOn }),
                },
              })
            }
          />
        </Field>
      </div>
      {columns?.length === 0 && (
        <p className="text-xs text-soft" role="status">This query has no result to take columns from. Run it first.</p>
      )}
      {others.length > 0 && (
        <fieldset className="grid gap-1.5">
          <legend className="text-xs font-medium">Depends on</legend>
          {others.map((other) => (
            <Choice
              key={other.name}
              label={labelOf(other)}
              checked={dependsOn.includes(other.name)}
              onChange={(event) =>
                withDependencies(event.target.checked ? [...dependsOn, other.name] : dependsOn.filter((name) => name !== other.name))
              }
            />
          ))}
          {fault('options/dependsOn') !== undefined && (
            <p role="alert" className="text-xs text-danger">{fault('options/dependsOn')}</p>
          )}
          <p className="text-xs text-soft">
            The chosen value goes to the saved query’s parameter of the same name, or selects rows by its column of that name.
          </p>
        </fieldset>
      )}
    </>
  )
}
