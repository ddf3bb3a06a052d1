import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import {
  type GivenModelSettings,
  type ModelSettings,
  modelSettingsOptions,
  type ModelTest,
  type ModelProvider,
  saveModelSettings,
  testModelSettings,
} from '../../api/model-settings.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Select, TextInput } from '../../ui/inputs.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { seconds, Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { RemoveModel } from './remove-model.tsx'
import { providerLabels } from './provider-labels.ts'

const providers = Object.entries(providerLabels) as [ModelProvider, string][]

/** The model's settings. A saved key is never shown, and is kept if the field is left blank. */
export function ModelForm({ stored }: { stored: ModelSettings | null }) {
  const [provider, setProvider] = useState<ModelProvider>(stored?.provider ?? 'openai_compatible')
  const [baseUrl, setBaseUrl] = useState(stored?.baseUrl ?? '')
  const [model, setModel] = useState(stored?.model ?? '')
  const [apiKey, setApiKey] = useState('')
  const [isConfirming, setIsConfirming] = useState(false)
  const client = useQueryClient()
  const toast = useToast()
  const testing = useMutation({ mutationFn: testModelSettings })
  const saving = useMutation({
    mutationFn: saveModelSettings,
    onSuccess: async () => {
      setApiKey('')
      setIsConfirming(false)
      testing.reset()
      await client.invalidateQueries({ queryKey: modelSettingsOptions.queryKey })
      toast.show({ message: 'Model saved.' })
    },
  })
  // Only the error of the latest action is set.
  const error = saving.error ?? testing.error
  const given: GivenModelSettings = {
    provider,
    model: model.trim(),
    ...(baseUrl.trim() !== '' && { baseUrl: baseUrl.trim() }),
    ...(apiKey !== '' && { apiKey }),
  }
  // Only the outcome for these very settings counts.
  const failedTest = testing.data?.ok === false && isSame(testing.variables, given) ? testing.data : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (failedTest) return setIsConfirming(true)
    testing.reset()
    saving.mutate(given)
  }
  const test = () => {
    saving.reset()
    testing.mutate(given)
  }
  return (
    <form className="grid gap-4" onSubmit={submit} noValidate aria-label="Model settings">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Provider" fault={faultAt(error, '/provider')}>
          <Select value={provider} onChange={(event) => setProvider(event.target.value as ModelProvider)}>
            {providers.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
          </Select>
        </Field>
        <Field label="Model" fault={faultAt(error, '/model')}>
          <TextInput value={model} onChange={(event) => setModel(event.target.value)} spellCheck={false} autoComplete="off" />
        </Field>
      </div>
      <Field
        label="Base URL"
        {...(provider === 'anthropic' && { hint: 'Leave blank for https://api.anthropic.com/v1.' })}
        fault={faultAt(error, '/baseUrl')}
      >
        <TextInput
          value={baseUrl}
          onChange={(event) => setBaseUrl(event.target.value)}
          placeholder={provider === 'anthropic' ? 'https://api.anthropic.com/v1' : 'https://api.openai.com/v1'}
          inputMode="url"
          spellCheck={false}
          autoComplete="off"
        />
      </Field>
      <Field label="API key" hint={keyHint(stored)} fault={faultAt(error, '/apiKey')}>
        <TextInput
          type="password"
          value={apiKey}
          onChange={(event) => setApiKey(event.target.value)}
          placeholder={stored?.hasApiKey ? 'Saved' : ''}
          autoComplete="new-password"
        />
      </Field>
      <FormProblem error={error} fields={['/provider', '/model', '/baseUrl', '/apiKey']} />
      <div role="status" className="empty:-mt-4">{testing.data?.ok && <TestPassed test={testing.data} />}</div>
      {testing.data?.ok === false && <Problem title="Test failed" message={testing.data.message} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" kind="primary" isBusy={saving.isPending} disabled={testing.isPending}>Save model</Button>
        <Button onClick={test} isBusy={testing.isPending} disabled={saving.isPending}>Test model</Button>
        {stored && <RemoveModel />}
        {stored && <span className="text-xs text-soft sm:ml-auto">Saved <Time at={stored.updatedAt} /></span>}
      </div>
      <ConfirmDialog
        title="Save a model that failed its test?"
        confirmLabel="Save anyway"
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        isBusy={saving.isPending}
        error={saving.error}
        onConfirm={() => saving.mutate(given)}
      >
        <p>{failedTest?.message}</p>
        <p className="mt-2">Until this is fixed, automations and chats that use the model will fail.</p>
      </ConfirmDialog>
    </form>
  )
}

const isSame = (one: GivenModelSettings | undefined, other: GivenModelSettings) => JSON.stringify(one) === JSON.stringify(other)

function keyHint(stored: ModelSettings | null): string {
  if (stored?.hasApiKey) {
    return 'Leave blank to keep the saved key. A new provider or host needs a new key.'
  }
  return 'Stored encrypted and never shown again. Leave blank if the server needs no key.'
}

function TestPassed({ test }: { test: ModelTest & { ok: true } }) {
  return <Hint kind="good">The model answered in {seconds(test.durationMs)}: “{test.reply}”</Hint>
}
