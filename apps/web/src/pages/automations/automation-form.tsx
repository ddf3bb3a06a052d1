import { type SubmitEvent, useState } from 'react'
import { getModelSettings } from '../../api/model-settings.ts'
import { ApiError, faultAt } from '../../api/request.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ConditionFields } from './condition-fields.tsx'
import type { Draft } from './draft.ts'
import { ReferencePicker } from './reference-picker.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { useReferences } from './use-references.ts'
import { agentWords } from './words.ts'

const mostReferences = 20

const whenChoices = [
  ['hand', 'When somebody asks'],
  ['schedule', 'By a schedule'],
  ['change', 'When a result changes'],
] as const

/** An automation in the making, or being changed. What was typed stays, whatever the service says. */
export function AutomationForm(props: {
  initial: Draft
  saveLabel: string
  onSave(draft: Draft): Promise<void>
  onCancel(): void
}) {
  const [draft, setDraft] = useState(props.initial)
  const saving = useAction()
  const { error } = saving
  const references = useReferences()
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.run(() => props.onSave(draft))
  }
  const { when } = draft
  return (
    <form className="automation-form" onSubmit={submit} noValidate>
      <Field label="Name" fault={faultAt(error, '/name')}>
        <input
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          placeholder="Weekly shop review"
        />
      </Field>
      <Field label="Instructions" fault={faultAt(error, '/instructions')}>
        <textarea
          value={draft.instructions}
          onChange={(event) => change({ instructions: event.target.value })}
          rows={4}
          placeholder="Tell how revenue went last week, and which countries moved it."
        />
      </Field>
      <ReferencePicker
        label="Queries it looks at"
        most={mostReferences}
        chosen={draft.references}
        references={references}
        fault={faultAt(error, '/references')}
        onChange={(chosen) => change({ references: chosen })}
      />
      <AgentChoice agent={draft.agent} fault={faultAt(error, '/agent')} onChange={(agent) => change({ agent })} />
      <fieldset>
        <legend>When it runs</legend>
        {whenChoices.map(([choice, label]) => (
          <Choice
            key={choice}
            name="when"
            label={label}
            isChosen={when === choice}
            onChoose={() => change({ when: choice })}
          />
        ))}
        {when === 'change' && (
          <ConditionFields
            draft={draft.condition}
            references={references}
            error={error}
            onChange={(changes) => change({ condition: { ...draft.condition, ...changes } })}
          />
        )}
        {(when === 'schedule' || (when === 'change' && draft.condition.isScheduled)) && (
          <ScheduleFields
            draft={draft.schedule}
            error={error}
            onChange={(changes) => change({ schedule: { ...draft.schedule, ...changes } })}
          />
        )}
      </fieldset>
      {when !== 'hand' && (
        <Switch label="Enabled: it runs by itself" isOn={draft.enabled} onChange={(enabled) => change({ enabled })} />
      )}
      {saving.message !== undefined && (
        <Problem title="Not saved" message={isAtField(error) ? 'See what is said at the fields above.' : saving.message} />
      )}
      <div className="actions">
        <Button type="submit" kind="primary" disabled={saving.isBusy}>
          {saving.isBusy ? 'Saving …' : props.saveLabel}
        </Button>
        <Button onClick={props.onCancel} disabled={saving.isBusy}>Cancel</Button>
      </div>
    </form>
  )
}

const places = ['/name', '/instructions', '/references', '/agent', '/schedule/', '/condition/']

/** Whether every fault stands at a field, so that it need not be said twice. */
const isAtField = (error: unknown) =>
  error instanceof ApiError &&
  error.details.length > 0 &&
  error.details.every(({ path }) => places.some((place) => path.startsWith(place)))

function Choice(props: { name: string; label: string; isChosen: boolean; isDisabled?: boolean; onChoose(): void }) {
  return (
    <label className="choice">
      <input type="radio" name={props.name} checked={props.isChosen} disabled={props.isDisabled} onChange={props.onChoose} />
      <span>{props.label}</span>
    </label>
  )
}

function AgentChoice(props: { agent: Draft['agent']; fault: string | undefined; onChange(agent: Draft['agent']): void }) {
  const { agent, fault } = props
  const { loaded } = useLoaded('model settings', getModelSettings)
  const hasModel = loaded.status === 'ready' && loaded.value !== null
  return (
    <fieldset>
      <legend>Agent</legend>
      <Choice name="agent" label={agentWords.digest} isChosen={agent === 'digest'} onChoose={() => props.onChange('digest')} />
      <Choice
        name="agent"
        label={agentWords.model}
        isChosen={agent === 'model'}
        isDisabled={!hasModel && agent !== 'model'}
        onChoose={() => props.onChange('model')}
      />
      {loaded.status === 'ready' && !hasModel && (
        <p className="soft small">No model is set up yet: <Link href={paths.agentSettings}>Settings</Link></p>
      )}
      {fault !== undefined && <span className="fault small" role="alert">{fault}</span>}
    </fieldset>
  )
}
