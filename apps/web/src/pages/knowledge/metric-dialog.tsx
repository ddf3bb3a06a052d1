import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import { databasesOptions } from '../../api/databases.ts'
import { addMetric, changeMetric, type Metric, verifiedQueriesOptions } from '../../api/knowledge.ts'
import { membersOptions } from '../../api/members.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Choice, Select, TextArea, TextInput } from '../../ui/inputs.tsx'
import { givenMetric, type MetricDraft, metricDraft } from './metric-draft.ts'
import { QuestionsFirst } from './questions-first.tsx'

const fields = ['/name', '/description', '/unit', '/synonyms', '/definition', '/ownerId']

/** Adds a metric, or changes one. */
export function MetricDialog({ metric, onClose }: { metric?: Metric; onClose(): void }) {
  const [draft, setDraft] = useState(() => metricDraft(metric))
  const change = (changes: Partial<MetricDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const databases = useQuery(databasesOptions())
  const members = useQuery(membersOptions)
  const client = useQueryClient()
  const formId = useId()
  const databaseId = draft.databaseId || (databases.data?.[0]?.id ?? '')
  const saving = useMutation({
    mutationFn: () => {
      const given = givenMetric({ ...draft, databaseId })
      return metric ? changeMetric(metric.id, { ...given, version: metric.version }) : addMetric(given)
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['knowledge'] })
      onClose()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  const fault = (path: string) => faultAt(saving.error, path)
  return (
    <Dialog
      title={metric ? `Edit ${metric.name}` : 'Add metric'}
      isOpen
      onOpenChange={onClose}
      width="wide"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <QuestionsFirst
            proposal={{ kind: 'metric', id: metric?.id ?? null, ...givenMetric({ ...draft, databaseId }) }}
            onSave={() => saving.mutate()}
            onDiscard={onClose}
          />
          <Button kind="primary" type="submit" form={formId} isBusy={saving.isPending}>Save metric</Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={submit} noValidate>
        <div className="grid gap-4 sm:grid-cols-[1fr_7rem]">
          <Field label="Name" fault={fault('/name')}>
            <TextInput value={draft.name} placeholder="Net revenue" onChange={(event) => change({ name: event.target.value })} />
          </Field>
          <Field label="Unit" fault={fault('/unit')}>
            <TextInput value={draft.unit} placeholder="€" onChange={(event) => change({ unit: event.target.value })} />
          </Field>
        </div>
        <Field label="Description" fault={fault('/description')}>
          <TextArea
            rows={2}
            value={draft.description}
            placeholder="What counts and what doesn’t"
            onChange={(event) => change({ description: event.target.value })}
          />
        </Field>
        <Field label="Other names" hint="Separated by commas, such as turnover, sales." fault={fault('/synonyms')}>
          <TextInput value={draft.synonyms} onChange={(event) => change({ synonyms: event.target.value })} />
        </Field>
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-xs font-medium">Computed by</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-1">
            <Choice type="radio" name="definition" label="SQL" checked={draft.kind === 'sql'} onChange={() => change({ kind: 'sql' })} />
            <Choice
              type="radio"
              name="definition"
              label="A saved query"
              checked={draft.kind === 'reference'}
              onChange={() => change({ kind: 'reference' })}
            />
          </div>
          {draft.kind === 'sql' ? (
            <SqlFields {...draft} databaseId={databaseId} fault={fault('/definition')} onChange={change} />
          ) : (
            <SavedQueryField shortId={draft.shortId} fault={fault('/definition')} onChange={(shortId) => change({ shortId })} />
          )}
        </fieldset>
        <Field label="Owner" hint="Whom to ask about it." fault={fault('/ownerId')} className="sm:max-w-xs">
          <Select value={draft.ownerId} onChange={(event) => change({ ownerId: event.target.value })}>
            <option value="">No owner</option>
            {members.data?.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          </Select>
        </Field>
        <FormProblem error={saving.error} fields={fields} />
      </form>
    </Dialog>
  )
}

function SqlFields(props: {
  databaseId: string
  sql: string
  fault: string | undefined
  onChange(changes: { databaseId?: string; sql?: string }): void
}) {
  const databases = useQuery(databasesOptions())
  return (
    <>
      <Field label="Database" className="sm:max-w-xs">
        <Select value={props.databaseId} onChange={(event) => props.onChange({ databaseId: event.target.value })}>
          {databases.data?.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
        </Select>
      </Field>
      <Field
        label="SQL"
        hint="An expression, or a query. Agents adapt it to the period and the groups that a question asks for."
        fault={props.fault}
      >
        <TextArea
          rows={5}
          value={props.sql}
          spellCheck={false}
          className="font-mono text-xs"
          placeholder="sum(amount) filter (where status not in ('canceled', 'refunded'))"
          onChange={(event) => props.onChange({ sql: event.target.value })}
        />
      </Field>
    </>
  )
}

/** Verified queries to choose from, or any other by its link. */
function SavedQueryField(props: { shortId: string; fault: string | undefined; onChange(shortId: string): void }) {
  const verified = useQuery(verifiedQueriesOptions)
  const listId = useId()
  return (
    <Field label="Saved query" hint="Paste its link, or choose a verified query." fault={props.fault}>
      <TextInput
        value={props.shortId}
        list={listId}
        spellCheck={false}
        autoComplete="off"
        placeholder="/q/k7m2p9qxwd"
        onChange={(event) => props.onChange(event.target.value)}
      />
      <datalist id={listId}>
        {verified.data?.map(({ shortId, title }) => <option key={shortId} value={shortId}>{title}</option>)}
      </datalist>
    </Field>
  )
}
