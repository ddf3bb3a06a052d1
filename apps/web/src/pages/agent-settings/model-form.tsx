import { type SubmitEvent, useState } from 'react'
import {
  type GivenModelSettings,
  type ModelSettings,
  type ModelTest,
  type Provider,
  removeModelSettings,
  saveModelSettings,
  testModelSettings,
} from '../../api/model-settings.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Field } from '../../ui/field.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { seconds, Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'

/** The model's settings. The key is only ever written: a stored one is kept while the field is empty. */
export function ModelForm({ stored, onChanged }: { stored: ModelSettings | null; onChanged(): void }) {
  const [provider, setProvider] = useState<Provider>(stored?.provider ?? 'openai_compatible')
  const [baseUrl, setBaseUrl] = useState(stored?.baseUrl ?? '')
  const [model, setModel] = useState(stored?.model ?? '')
  const [apiKey, setApiKey] = useState('')
  const [outcome, setOutcome] = useState<ModelTest>()
  const action = useAction()
  const { error } = action
  const given: GivenModelSettings = {
    provider,
    model: model.trim(),
    ...(baseUrl.trim() !== '' && { baseUrl: baseUrl.trim() }),
    ...(apiKey !== '' && { apiKey }),
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setOutcome(undefined)
    action.run(async () => {
      await saveModelSettings(given)
      setApiKey('')
      onChanged()
    })
  }
  const test = () => {
    setOutcome(undefined)
    action.run(async () => setOutcome(await testModelSettings(given)))
  }
  const remove = () =>
    action.run(async () => {
      await removeModelSettings()
      onChanged()
    })
  return (
    <form className="card settings-form" onSubmit={submit} noValidate>
      <Field label="Provider" fault={faultAt(error, '/provider')}>
        <select value={provider} onChange={(event) => setProvider(event.target.value as Provider)}>
          <option value="openai_compatible">OpenAI-compatible</option>
          <option value="anthropic">Anthropic</option>
        </select>
      </Field>
      <Field
        label="Base URL"
        hint={provider === 'anthropic' ? { id: 'base-url-hint', text: 'Empty means https://api.anthropic.com/v1.' } : undefined}
        fault={faultAt(error, '/baseUrl')}
      >
        <input
          value={baseUrl}
          onChange={(event) => setBaseUrl(event.target.value)}
          placeholder="https://api.openai.com/v1"
          spellCheck={false}
          autoComplete="off"
        />
      </Field>
      <Field label="Model" fault={faultAt(error, '/model')}>
        <input value={model} onChange={(event) => setModel(event.target.value)} spellCheck={false} autoComplete="off" />
      </Field>
      <Field label="API key" hint={{ id: 'api-key-hint', text: keyHint(stored) }} fault={faultAt(error, '/apiKey')}>
        <input
          type="password"
          value={apiKey}
          onChange={(event) => setApiKey(event.target.value)}
          placeholder={stored?.hasApiKey ? 'Stored' : ''}
          aria-describedby="api-key-hint"
          autoComplete="new-password"
        />
      </Field>
      {action.message !== undefined && <Problem message={action.message} />}
      {outcome && <Outcome outcome={outcome} />}
      <div className="actions">
        <Button type="submit" kind="primary" disabled={action.isBusy}>Save</Button>
        <Button onClick={test} disabled={action.isBusy}>{action.isBusy ? 'One moment …' : 'Test'}</Button>
        {stored && <ConfirmButton label="Remove" confirmLabel="Remove for good" isBusy={action.isBusy} onConfirm={remove} />}
        {stored && <span className="soft small saved">Saved <Time at={stored.updatedAt} /></span>}
      </div>
    </form>
  )
}

function keyHint(stored: ModelSettings | null): string {
  if (stored?.hasApiKey) {
    return 'A key is stored; it is kept while this is empty. Another provider or another host needs its key anew.'
  }
  return 'It is stored encrypted and never shown again. Leave it empty for a server that asks for none.'
}

function Outcome({ outcome }: { outcome: ModelTest }) {
  if (!outcome.ok) return <Problem title="The test failed" message={outcome.message} />
  return <Hint>It works: the model answered within {seconds(outcome.durationMs)}. “{outcome.reply}”</Hint>
}
