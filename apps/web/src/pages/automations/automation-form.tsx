import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import type { Automation, Condition } from '../../api/automations.ts'
import { ApiError, faultAt, messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Choice, TextArea, TextInput } from '../../ui/inputs.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'
import { AgentChoice } from './agent-choice.tsx'
import { AlertFields } from './alert-fields.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { DigestBacktestPanel } from './digest-backtest-panel.tsx'
import { type Draft, toAutomationContent } from './draft.ts'
import { ModelBacktestPanel } from './model-backtest-panel.tsx'
import { ReferencePicker } from './reference-picker.tsx'
import { browserTimeZone } from './time-zone.ts'
import { ScheduleFields } from './schedule-fields.tsx'
import { useReferences } from './use-references.ts'

const maxReferences = 20

const whenChoices = [
  ['manual', 'Manually'],
  ['schedule', 'On a schedule'],
  ['change', 'When a result changes'],
  ['alert', 'As an alert'],
] as const

type SavedAutomation = Pick<Automation, 'id' | 'agent' | 'instructions' | 'references'>

interface PartProps {
  draft: Draft
  error: unknown
  onChange(changes: Partial<Draft>): void
}

/** Creates or edits an automation. Input is kept when saving fails. */
export function AutomationForm(props: {
  initial: Draft
  saveLabel: string
  /** The automation that is edited. */
  saved?: SavedAutomation
  /** The condition of the automation that is edited, as the form would save it. */
  savedCondition?: Condition | null
  onSave(draft: Draft): Promise<void>
  onCancel(): void
  /** More parts of the form, after its own. */
  children?: ReactNode
}) {
  const [draft, setDraft] = useState(props.initial)
  const saving = useMutation({ mutationFn: props.onSave })
  const { error } = saving
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate(draft)
  }
  const part = { draft, error, onChange: (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })) }
  return (
    <form className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5" onSubmit={submit} noValidate>
      <WhatItDoes {...part} saved={props.saved} />
      <WhenItRuns {...part} savedCondition={props.savedCondition ?? null} />
      {props.children}
      {error && (
        <Problem
          title="Couldn’t save the automation"
          message={isShownAtField(error) ? 'Fix the fields marked above, then save again.' : messageOf(error)}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" isBusy={saving.isPending}>{props.saveLabel}</Button>
        <Button onClick={props.onCancel} disabled={saving.isPending}>Cancel</Button>
      </div>
    </form>
  )
}

function WhatItDoes({ draft, error, saved, onChange }: PartProps & { saved: SavedAutomation | undefined }) {
  const references = useReferences()
  return (
    <Card title="What it does">
      <div className="grid gap-5">
        <Field label="Name" fault={faultAt(error, '/name')}>
          <TextInput
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
            placeholder="Weekly shop review"
          />
        </Field>
        <Field label="Instructions" fault={faultAt(error, '/instructions')}>
          <TextArea
            value={draft.instructions}
            onChange={(event) => onChange({ instructions: event.target.value })}
            placeholder="Summarize last week’s revenue and which countries drove it."
          />
        </Field>
        {draft.agent === 'digest' && <DigestNotice />}
        <ReferencePicker
          label="Queries to check"
          max={maxReferences}
          chosen={draft.references}
          references={references}
          fault={faultAt(error, '/references')}
          onChange={(chosen) =>
            onChange({
              references: chosen,
              // If no query to watch is chosen yet, suggest the first one.
              ...(draft.when === 'change' && draft.condition.reference === undefined && chosen[0] !== undefined && {
                condition: { ...draft.condition, reference: chosen[0] },
              }),
            })
          }
        />
        <AgentChoice agent={draft.agent} fault={faultAt(error, '/agent')} onChange={(agent) => onChange({ agent })} />
        {draft.agent === 'digest' && draft.references.length > 0 && (
          <DigestBacktestPanel references={draft.references} schedule={toAutomationContent(draft).schedule} />
        )}
        {draft.agent === 'model' && saved?.agent === 'model' && saved.references.length > 0 && (
          <ModelBacktestPanel automation={saved} edited={draft.instructions} />
        )}
        <Choice
          label="Strict"
          hint="A run fails if its summary states a figure that can’t be verified from a query result."
          checked={draft.strict}
          onChange={(event) => onChange({ strict: event.target.checked })}
        />
      </div>
    </Card>
  )
}

/** Says before saving that the digest does the same whatever the instructions are. */
function DigestNotice() {
  return (
    <Hint>
      The digest agent doesn’t follow instructions. It always reports the figures of each query and what changed since the last run,
      and keeps the instructions as a note. To have them followed, choose a model as the agent.
    </Hint>
  )
}

function WhenItRuns({ draft, error, savedCondition, onChange }: PartProps & { savedCondition: Condition | null }) {
  const references = useReferences()
  const { when, schedule, condition, alert } = draft
  return (
    <Card title="When it runs">
      <div className="grid gap-4">
        <div role="radiogroup" aria-label="When it runs" className="grid gap-2">
          {whenChoices.map(([choice, label]) => (
            <Choice
              key={choice}
              type="radio"
              name="when"
              label={label}
              checked={when === choice}
              onChange={() => onChange({ when: choice })}
            />
          ))}
        </div>
        {when === 'change' && (
          <ConditionFields
            draft={condition}
            saved={savedCondition !== null && savedCondition.kind !== 'alert' ? savedCondition : null}
            references={references}
            error={error}
            onChange={(changes) =>
              onChange({
                condition: { ...condition, ...changes },
                // The report should most likely cover the watched query.
                ...(changes.reference !== undefined && draft.references.length === 0 && { references: [changes.reference] }),
              })
            }
          />
        )}
        {when === 'alert' && (
          <AlertFields
            draft={alert}
            references={references}
            timeZone={browserTimeZone}
            saved={savedCondition?.kind === 'alert' ? savedCondition : null}
            error={error}
            onChange={(changes) =>
              onChange({
                alert: { ...alert, ...changes },
                ...(changes.reference !== undefined && draft.references.length === 0 && { references: [changes.reference] }),
              })
            }
          />
        )}
        {(when === 'schedule' || (when === 'alert' && alert.isScheduled) || (when === 'change' && condition.isScheduled)) && (
          <ScheduleFields
            draft={schedule}
            error={error}
            onChange={(changes) => onChange({ schedule: { ...schedule, ...changes } })}
          />
        )}
        {when !== 'manual' && (
          <Switch label="Run automatically" isOn={draft.enabled} onChange={(enabled) => onChange({ enabled })} />
        )}
      </div>
    </Card>
  )
}

const fieldPaths = ['/name', '/instructions', '/references', '/agent', '/schedule/', '/condition/']

/** Whether every error is shown at a field, so it isn't repeated below the form. */
const isShownAtField = (error: unknown) =>
  error instanceof ApiError &&
  error.details.length > 0 &&
  error.details.every(({ path }) => fieldPaths.some((fieldPath) => path.startsWith(fieldPath)))
