import { comparisons, type Comparison } from '../../api/automations.ts'
import { faultAt } from '../../api/request.ts'
import type { Reference } from '../../api/references.ts'
import type { Loaded } from '../../api/use-loaded.ts'
import { Field } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { ConditionDraft } from './draft.ts'
import { ReferencePicker } from './reference-picker.tsx'

/** Which result it waits for. */
export function ConditionFields(props: {
  draft: ConditionDraft
  references: Loaded<Reference[]>
  error: unknown
  onChange(changes: Partial<ConditionDraft>): void
}) {
  const { draft, references, error, onChange } = props
  const { kind } = draft
  return (
    <div className="condition">
      <ReferencePicker
        label="The query whose results are watched"
        most={1}
        chosen={draft.reference === undefined ? [] : [draft.reference]}
        references={references}
        fault={faultAt(error, '/condition/reference')}
        onChange={([reference]) => onChange({ reference })}
      />
      <div className="in-a-row">
        <Field label="It runs when" fault={faultAt(error, '/condition/kind')}>
          <select value={kind} onChange={(event) => onChange({ kind: event.target.value as ConditionDraft['kind'] })}>
            <option value="row_count">the number of rows is</option>
            <option value="value">a value in a column is</option>
            <option value="changed">the result has changed</option>
          </select>
        </Field>
        {kind === 'value' && (
          <Field label="Column" fault={faultAt(error, '/condition/column')}>
            <input
              value={draft.column}
              onChange={(event) => onChange({ column: event.target.value })}
              spellCheck={false}
              autoComplete="off"
            />
          </Field>
        )}
        {kind !== 'changed' && (
          <>
            <Field label="Comparison" fault={faultAt(error, '/condition/comparison')}>
              <select
                value={draft.comparison}
                onChange={(event) => onChange({ comparison: event.target.value as Comparison })}
              >
                {comparisons.map((comparison) => <option key={comparison}>{comparison}</option>)}
              </select>
            </Field>
            <Field label="Number" fault={faultAt(error, '/condition/number')}>
              <input
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
          label="Every time, not only when it was not so before"
          isOn={draft.everyTime}
          onChange={(everyTime) => onChange({ everyTime })}
        />
      )}
      <Switch
        label="Ask for a new result by a schedule"
        isOn={draft.isScheduled}
        onChange={(isScheduled) => onChange({ isScheduled })}
      />
      {!draft.isScheduled && <p className="soft small">Then it looks at a result whenever somebody else runs the query.</p>}
    </div>
  )
}
