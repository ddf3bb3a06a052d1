import { useId } from 'react'
import { comparisons, type Comparison, type Condition } from '../../api/automations.ts'
import { faultAt } from '../../api/request.ts'
import { Field } from '../../ui/field.tsx'
import { Select, TextInput } from '../../ui/inputs.tsx'
import { Switch } from '../../ui/switch.tsx'
import { BacktestPanel } from './backtest-panel.tsx'
import { type ConditionDraft, conditionOf } from './draft.ts'
import { ReferencePicker } from './reference-picker.tsx'
import { useNumberColumns } from '../../results/use-columns.ts'
import type { ReferencesQuery } from './use-references.ts'

/** Edits the condition: which query to watch, and for what. */
export function ConditionFields(props: {
  draft: ConditionDraft
  /** The condition as it is stored, to compare with. */
  saved: Condition | null
  references: ReferencesQuery
  error: unknown
  onChange(changes: Partial<ConditionDraft>): void
}) {
  const { draft, references, error, onChange } = props
  const { kind } = draft
  const columnsId = useId()
  return (
    <div className="grid gap-4 rounded-lg border border-line bg-paper p-4">
      <ReferencePicker
        label="Query to watch"
        max={1}
        chosen={draft.reference === undefined ? [] : [draft.reference]}
        references={references}
        fault={faultAt(error, '/condition/reference')}
        onChange={([reference]) => onChange({ reference })}
      />
      <div className="flex flex-wrap gap-3 [&>*]:flex-[1_1_8rem] [&>:first-child]:flex-[2_1_13rem]">
        <Field label="Run when" fault={faultAt(error, '/condition/kind')}>
          <Select value={kind} onChange={(event) => onChange({ kind: event.target.value as ConditionDraft['kind'] })}>
            <option value="row_count">the number of rows is</option>
            <option value="value">a value in a column is</option>
            <option value="changed">the result has changed</option>
          </Select>
        </Field>
        {kind === 'value' && (
          <Field label="Column" fault={faultAt(error, '/condition/column')}>
            <TextInput
              list={columnsId}
              value={draft.column}
              onChange={(event) => onChange({ column: event.target.value })}
              spellCheck={false}
              autoComplete="off"
            />
          </Field>
        )}
        {kind === 'value' && <Columns id={columnsId} reference={draft.reference} />}
        {kind !== 'changed' && (
          <>
            <Field label="Comparison" fault={faultAt(error, '/condition/comparison')}>
              <Select value={draft.comparison} onChange={(event) => onChange({ comparison: event.target.value as Comparison })}>
                {comparisons.map((comparison) => (
                  <option key={comparison} value={comparison}>{comparisonLabels[comparison]}</option>
                ))}
              </Select>
            </Field>
            <Field label="Number" fault={faultAt(error, '/condition/number')}>
              <TextInput
                value={draft.number}
                onChange={(event) => onChange({ number: event.target.value })}
                inputMode="decimal"
                autoComplete="off"
              />
            </Field>
          </>
        )}
      </div>
      {kind !== 'changed' && (
        <Switch
          label="Run for every result that matches"
          hint="If off, it runs when a result starts to match, and again only after one didn’t."
          isOn={draft.everyTime}
          onChange={(everyTime) => onChange({ everyTime })}
        />
      )}
      <Switch
        label="Refresh the result on a schedule"
        isOn={draft.isScheduled}
        hint={`It ${draft.isScheduled ? 'also checks whenever' : 'checks only when'} somebody else runs the query.`}
        onChange={(isScheduled) => onChange({ isScheduled })}
      />
      <BacktestPanel edited={conditionOf(draft)} saved={props.saved} />
    </div>
  )
}

function Columns({ id, reference }: { id: string; reference: string | undefined }) {
  return <datalist id={id}>{useNumberColumns(reference).map((column) => <option key={column} value={column} />)}</datalist>
}

const comparisonLabels: Record<Comparison, string> = {
  '>': '> more than',
  '>=': '≥ at least',
  '<': '< less than',
  '<=': '≤ at most',
  '=': '= equal to',
  '!=': '≠ not equal to',
}
