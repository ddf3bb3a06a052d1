import { useQuery } from '@tanstack/react-query'
import { boardOptions } from '../../../api/boards.ts'
import type { ParameterDefinition } from '../../../api/references.ts'
import { faultAt } from '../../../api/request.ts'
import { ColumnSelect } from '../../../parameters/column-select.tsx'
import { labelOf } from '../../../parameters/label-of.ts'
import { ParameterInput } from '../../../parameters/parameter-input.tsx'
import { Field } from '../../../ui/field.tsx'
import { useColumns } from '../../../results/use-columns.ts'
import { Select } from '../../../ui/inputs.tsx'
import { ReferencePicker } from '../reference-picker.tsx'
import { useReferences } from '../use-references.ts'
import { nameOf } from './describe-report.ts'
import { keyOf, type ReportDraft } from './report-draft.ts'
import { useKnownPeople } from './use-known-people.ts'

interface PartProps {
  draft: ReportDraft
  error: unknown
  onChange(changes: Partial<ReportDraft>): void
}

/** Different values of the board's parameters for each recipient. Only boards with parameters have them, and only by e-mail. */
export function ValuesFields({ draft, error, onChange }: PartProps) {
  const isPossible = draft.content === 'board' && draft.boardShortId !== '' && draft.target === 'email'
  const { data: board } = useQuery({ ...boardOptions(draft.boardShortId), enabled: isPossible })
  const parameters = board?.parameters ?? []
  if (!isPossible || parameters.length === 0) return null
  return (
    <div className="grid gap-3">
      <Field label="Parameters" fault={faultAt(error, '/values')}>
        <Select value={draft.valuesFrom} onChange={({ target }) => onChange({ valuesFrom: target.value as ReportDraft['valuesFrom'] })}>
          <option value="same">Same for everyone: the board’s defaults</option>
          <option value="list">Different for each recipient</option>
          <option value="query">From a query: one recipient per row</option>
        </Select>
      </Field>
      {draft.valuesFrom === 'list' && <OwnValues draft={draft} parameters={parameters} onChange={onChange} />}
      {draft.valuesFrom === 'query' && <ValuesQuery draft={draft} parameters={parameters} onChange={onChange} />}
    </div>
  )
}

function OwnValues({ draft, parameters, onChange }: Omit<PartProps, 'error'> & { parameters: ParameterDefinition[] }) {
  const people = useKnownPeople()
  if (draft.recipients.length === 0) return <p className="text-xs text-soft">Add recipients first.</p>
  return (
    <ul className="grid gap-3">
      {draft.recipients.map((recipient) => {
        const key = keyOf(recipient)
        const values = draft.ownValues[key] ?? {}
        const name = nameOf(recipient, people)
        return (
          <li key={key} className="grid gap-2 rounded-md border border-line p-3" aria-label={name}>
            <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
            <div className="grid gap-3 sm:grid-cols-2">
              {parameters.map((definition) => (
                <Field key={definition.name} label={labelOf(definition)}>
                  <ParameterInput
                    definition={definition}
                    value={values[definition.name] ?? (definition.isList ? [] : '')}
                    values={values}
                    onChange={(value) => onChange({ ownValues: { ...draft.ownValues, [key]: { ...values, [definition.name]: value } } })}
                  />
                </Field>
              ))}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

function ValuesQuery({ draft, parameters, onChange }: Omit<PartProps, 'error'> & { parameters: ParameterDefinition[] }) {
  const references = useReferences()
  const { valuesQuery } = draft
  const columns = useColumns(valuesQuery.referenceShortId === '' ? undefined : valuesQuery.referenceShortId)
  const set = (changes: Partial<ReportDraft['valuesQuery']>) => onChange({ valuesQuery: { ...valuesQuery, ...changes } })
  return (
    <div className="grid gap-3 rounded-md border border-line p-3">
      <ReferencePicker
        label="Query"
        hint="It runs before each report. Every row is a recipient with their values."
        max={1}
        chosen={valuesQuery.referenceShortId === '' ? [] : [valuesQuery.referenceShortId]}
        references={references}
        fault={undefined}
        onChange={([referenceShortId = '']) => set({ referenceShortId, emailColumn: '', columns: {} })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Column with e-mail addresses">
          <ColumnSelect columns={columns} empty="Choose…" value={valuesQuery.emailColumn} onChange={(emailColumn) => set({ emailColumn })} />
        </Field>
        {parameters.map((definition) => (
          <Field key={definition.name} label={`Column for ${labelOf(definition)}`}>
            <ColumnSelect
              columns={columns}
              empty="Board’s default"
              value={valuesQuery.columns[definition.name] ?? ''}
              onChange={(column) => set({ columns: { ...valuesQuery.columns, [definition.name]: column } })}
            />
          </Field>
        ))}
      </div>
      {columns?.length === 0 && (
        <p className="text-xs text-soft" role="status">This query has no result to take columns from. Run it first.</p>
      )}
    </div>
  )
}
