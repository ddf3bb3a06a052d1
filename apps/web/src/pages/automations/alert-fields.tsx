import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { faultAt } from '../../api/request.ts'
import type { MuteWindow, Severity } from '../../api/automations.ts'
import { useColumns } from '../../results/use-columns.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Choice, Select, TextInput } from '../../ui/inputs.tsx'
import { Switch } from '../../ui/switch.tsx'
import { type AlertCondition, type AlertDraft, alertOf, type AlertTestDraft, newTest } from './alert-draft.ts'
import { BacktestPanel } from './backtest-panel.tsx'
import { againstLabels, aggregateLabels, severityLabels, testKindLabels } from './describe-alert.ts'
import { ReferencePicker } from './reference-picker.tsx'
import type { ReferencesQuery } from './use-references.ts'

const maxTests = 10

/** Edits an alert: the query to watch, what to look for, and when to stay quiet. */
export function AlertFields(props: {
  draft: AlertDraft
  references: ReferencesQuery
  timeZone: string
  /** The alert as it is stored, to compare with. */
  saved: AlertCondition | null
  error: unknown
  onChange(changes: Partial<AlertDraft>): void
}) {
  const { draft, references, error, onChange } = props
  const { tests } = draft
  const columnsId = useId()
  const columns = useColumns(draft.reference) ?? []
  const change = (at: number, changes: Partial<AlertTestDraft>) =>
    onChange({ tests: tests.map((test, index) => (index === at ? { ...test, ...changes } : test)) })
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
      <datalist id={columnsId}>{columns.map(({ name }) => <option key={name} value={name} />)}</datalist>
      {tests.map((test, at) => (
        <TestFields
          key={at}
          test={test}
          columnsId={columnsId}
          name={tests.length > 1 ? `Test ${at + 1}` : 'Test'}
          path={`/condition/tests/${at}`}
          error={error}
          onChange={(changes) => change(at, changes)}
          onRemove={tests.length > 1 ? () => onChange({ tests: tests.filter((_, index) => index !== at) }) : undefined}
        />
      ))}
      {tests.length < maxTests && (
        <Button size="small" icon={<Plus />} className="justify-self-start" onClick={() => onChange({ tests: [...tests, newTest] })}>
          Add another test
        </Button>
      )}
      <BacktestPanel edited={alertOf(draft)} saved={props.saved} />
      <MuteFields windows={draft.muteWindows} timeZone={props.timeZone} error={error} onChange={(muteWindows) => onChange({ muteWindows })} />
      <Switch
        label="Refresh the result on a schedule"
        isOn={draft.isScheduled}
        hint={`It ${draft.isScheduled ? 'also checks whenever' : 'checks only when'} somebody else runs the query.`}
        onChange={(isScheduled) => onChange({ isScheduled })}
      />
    </div>
  )
}

function TestFields(props: {
  test: AlertTestDraft
  columnsId: string
  name: string
  path: string
  error: unknown
  onChange(changes: Partial<AlertTestDraft>): void
  onRemove: (() => void) | undefined
}) {
  const { test, path, error, onChange } = props
  const { kind } = test
  const hasMeasure = kind === 'threshold' || kind === 'change' || kind === 'unusual'
  const fault = (name: string) => faultAt(error, `${path}/${name}`)
  return (
    <fieldset className="grid gap-3 border-t border-line pt-3" aria-label={props.name}>
      <div className="flex flex-wrap items-end gap-3 [&>*]:flex-[1_1_8rem]">
        <Field label="Alert when the result" fault={fault('kind')}>
          <Select value={kind} onChange={({ target }) => onChange({ kind: target.value as AlertTestDraft['kind'] })}>
            {Object.entries(testKindLabels).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
          </Select>
        </Field>
        {(hasMeasure || kind === 'stale') && (
          <Field label={kind === 'stale' ? 'Time column' : 'Column (empty: number of rows)'} fault={fault('column')}>
            <TextInput list={props.columnsId} value={test.column} spellCheck={false} autoComplete="off" onChange={({ target }) => onChange({ column: target.value })} />
          </Field>
        )}
        {kind === 'threshold' && (
          <>
            <Field label="Comparison" fault={fault('comparison')}>
              <Select value={test.comparison} onChange={({ target }) => onChange({ comparison: target.value as AlertTestDraft['comparison'] })}>
                <option value=">">&gt; more than</option>
                <option value=">=">≥ at least</option>
                <option value="<">&lt; less than</option>
                <option value="<=">≤ at most</option>
              </Select>
            </Field>
            <NumberField label="Limit" value={test.number} fault={fault('number')} onChange={(number) => onChange({ number })} />
          </>
        )}
        {kind === 'change' && <ChangeFields test={test} fault={fault} onChange={onChange} />}
        {kind === 'stale' && <NumberField label="Older than (hours)" value={test.hours} fault={fault('hours')} onChange={(hours) => onChange({ hours })} />}
        {kind === 'new_rows' && (
          <Field label="Key columns" hint="Separated by commas" fault={fault('keyColumns')}>
            <TextInput value={test.keyColumns} spellCheck={false} autoComplete="off" onChange={({ target }) => onChange({ keyColumns: target.value })} />
          </Field>
        )}
        <Field label="Severity" fault={fault('severity')}>
          <Select value={test.severity} onChange={({ target }) => onChange({ severity: target.value as Severity })}>
            {Object.entries(severityLabels).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
          </Select>
        </Field>
      </div>
      {kind !== 'no_rows' && kind !== 'new_rows' && <MoreFields test={test} hasMeasure={hasMeasure} fault={fault} onChange={onChange} />}
      {props.onRemove && (
        <Button size="small" icon={<X />} className="justify-self-start" onClick={props.onRemove}>Remove {props.name.toLowerCase()}</Button>
      )}
    </fieldset>
  )
}

interface TestPartProps {
  test: AlertTestDraft
  fault(name: string): string | undefined
  onChange(changes: Partial<AlertTestDraft>): void
}

function ChangeFields({ test, fault, onChange }: TestPartProps) {
  return (
    <>
      <Field label="Direction">
        <Select value={test.direction} onChange={({ target }) => onChange({ direction: target.value as AlertTestDraft['direction'] })}>
          <option value="either">up or down</option>
          <option value="up">up</option>
          <option value="down">down</option>
        </Select>
      </Field>
      <NumberField label="By at least" value={test.by} fault={fault('by')} onChange={(by) => onChange({ by })} />
      <Field label="Unit">
        <Select value={test.unit} onChange={({ target }) => onChange({ unit: target.value as AlertTestDraft['unit'] })}>
          <option value="percent">percent</option>
          <option value="absolute">absolute</option>
        </Select>
      </Field>
      <Field label="Compared with">
        <Select value={test.against} onChange={({ target }) => onChange({ against: target.value as AlertTestDraft['against'] })}>
          {Object.entries(againstLabels).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
        </Select>
      </Field>
    </>
  )
}

/** Less common settings, out of the way until they are needed. */
function MoreFields({ test, hasMeasure, fault, onChange }: TestPartProps & { hasMeasure: boolean }) {
  return (
    <details open={fault('resolveAt') !== undefined || fault('forRuns') !== undefined || undefined}>
      <summary className="cursor-pointer text-soft">More options</summary>
      <div className="mt-3 flex flex-wrap items-end gap-3 [&>*]:flex-[1_1_9rem]">
        {hasMeasure && test.column.trim() !== '' && (
          <Field label="If there are several rows">
            <Select value={test.aggregate} onChange={({ target }) => onChange({ aggregate: target.value as AlertTestDraft['aggregate'] })}>
              {Object.entries(aggregateLabels).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
            </Select>
          </Field>
        )}
        {test.kind === 'threshold' && (
          <NumberField
            label={test.comparison.startsWith('>') ? 'Resolve below' : 'Resolve above'}
            value={test.resolveAt}
            fault={fault('resolveAt')}
            onChange={(resolveAt) => onChange({ resolveAt })}
          />
        )}
        {test.kind === 'unusual' && (
          <>
            <NumberField label="Standard deviations" value={test.deviations} fault={fault('deviations')} onChange={(deviations) => onChange({ deviations })} />
            <NumberField label="Of the last results" value={test.results} fault={fault('results')} onChange={(results) => onChange({ results })} />
          </>
        )}
        <NumberField label="Times in a row" value={test.forRuns} fault={fault('forRuns')} onChange={(forRuns) => onChange({ forRuns })} />
      </div>
    </details>
  )
}

function NumberField(props: { label: string; value: string; fault: string | undefined; onChange(value: string): void }) {
  return (
    <Field label={props.label} fault={props.fault}>
      <TextInput value={props.value} inputMode="decimal" autoComplete="off" onChange={({ target }) => props.onChange(target.value)} />
    </Field>
  )
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function MuteFields(props: { windows: MuteWindow[]; timeZone: string; error: unknown; onChange(windows: MuteWindow[]): void }) {
  const { windows, error, onChange } = props
  const change = (at: number, changes: Partial<MuteWindow>) =>
    onChange(windows.map((window, index) => (index === at ? { ...window, ...changes } : window)))
  return (
    <div className="grid gap-3">
      {windows.map((window, at) => (
        <fieldset key={at} className="flex flex-wrap items-end gap-3" aria-label={`Mute window ${at + 1}`}>
          <div className="flex flex-wrap gap-x-3 gap-y-1">
            {dayNames.map((name, index) => (
              <Choice
                key={name}
                label={name}
                checked={window.days.includes(index + 1)}
                onChange={({ target }) =>
                  change(at, { days: target.checked ? [...window.days, index + 1] : window.days.filter((day) => day !== index + 1) })
                }
              />
            ))}
          </div>
          <Field label="From" fault={faultAt(error, `/condition/muteWindows/${at}/from`)}>
            <TextInput type="time" value={window.from} onChange={({ target }) => change(at, { from: target.value })} />
          </Field>
          <Field label="Until" fault={faultAt(error, `/condition/muteWindows/${at}/to`) ?? faultAt(error, `/condition/muteWindows/${at}/days`)}>
            <TextInput type="time" value={window.to === '24:00' ? '00:00' : window.to} onChange={({ target }) => change(at, { to: endOf(window.from, target.value) })} />
          </Field>
          <Field label="Time zone" fault={faultAt(error, `/condition/muteWindows/${at}/timeZone`)}>
            <TextInput value={window.timeZone} spellCheck={false} autoComplete="off" onChange={({ target }) => change(at, { timeZone: target.value })} />
          </Field>
          <Button size="small" icon={<X />} onClick={() => onChange(windows.filter((_, index) => index !== at))}>Remove window</Button>
        </fieldset>
      ))}
      <Button
        size="small"
        icon={<Plus />}
        className="justify-self-start"
        onClick={() => onChange([...windows, { days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '07:00', timeZone: props.timeZone }])}
      >
        Add a mute window
      </Button>
    </div>
  )
}

/** A window from midnight to midnight is the whole day. */
const endOf = (from: string, to: string) => (to === '00:00' && from === '00:00' ? '24:00' : to)
