import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { apiKeysOptions, createApiKey, type CreatedApiKey } from '../../api/api-keys.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Choice, Select, TextInput } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type ApiKeyDraft, emptyDraft, keyOfDraft, type LifetimeDays, lifetimes, offeredScopes, scopeTexts } from './api-key-draft.ts'
import { ApiKeyList } from './api-key-list.tsx'
import { KeyGroups } from './key-groups.tsx'
import { NewApiKey } from './new-api-key.tsx'

export function ApiKeys() {
  const keys = useQuery(apiKeysOptions)
  const [created, setCreated] = useState<CreatedApiKey>()
  return (
    <Card
      title="API keys"
      description="An API key lets an app act as you. It’s shown only once, so store it safely."
    >
      <div className="grid gap-4">
        <ApiKeyForm onCreated={setCreated} />
        {created && <NewApiKey created={created} />}
        <Loaded query={keys} skeleton={<Skeleton rows={2} />}>
          {(items) => (
            <ApiKeyList
              keys={items}
              onRevoked={(id) => {
                if (created?.id === id) setCreated(undefined)
              }}
            />
          )}
        </Loaded>
      </div>
    </Card>
  )
}

function ApiKeyForm({ onCreated }: { onCreated(key: CreatedApiKey): void }) {
  const [draft, setDraft] = useState(emptyDraft)
  const queryClient = useQueryClient()
  const creating = useMutation({
    mutationFn: createApiKey,
    onSuccess: async (key) => {
      setDraft(emptyDraft)
      onCreated(key)
      await queryClient.invalidateQueries({ queryKey: apiKeysOptions.queryKey })
    },
  })
  const change = (changed: Partial<ApiKeyDraft>) => setDraft({ ...draft, ...changed })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    creating.mutate(keyOfDraft(draft, new Date()))
  }
  return (
    <form className="grid gap-3" onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Key name" className="min-w-48 flex-1" fault={faultAt(creating.error, '/name')}>
          <TextInput
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
            placeholder="Nightly report"
            autoComplete="off"
            required
            maxLength={100}
          />
        </Field>
        <Button type="submit" kind="primary" isBusy={creating.isPending} disabled={draft.scopes.length === 0}>Create key</Button>
      </div>
      <details>
        <summary className="w-fit cursor-pointer text-xs font-medium">Permissions, groups, expiry and networks</summary>
        <KeyLimits draft={draft} change={change} error={creating.error} />
      </details>
      <FormProblem error={creating.error} fields={['/name', '/expiresAt', '/allowedNetworks']} />
    </form>
  )
}

function KeyLimits({ draft, change, error }: { draft: ApiKeyDraft; change(changed: Partial<ApiKeyDraft>): void; error: unknown }) {
  return (
    <div className="mt-3 grid gap-3">
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-xs font-medium">The key may, as far as you may</legend>
        {offeredScopes.map((scope) => (
          <Choice
            key={scope}
            label={scopeTexts[scope].label}
            hint={scopeTexts[scope].hint}
            checked={draft.scopes.includes(scope)}
            onChange={({ target }) =>
              change({ scopes: target.checked ? [...draft.scopes, scope] : draft.scopes.filter((each) => each !== scope) })
            }
          />
        ))}
      </fieldset>
      <KeyGroups groupIds={draft.groupIds} onChange={(groupIds) => change({ groupIds })} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Expires" fault={faultAt(error, '/expiresAt')}>
          <Select value={draft.lifetimeDays} onChange={(event) => change({ lifetimeDays: event.target.value as LifetimeDays })}>
            {Object.entries(lifetimes).map(([days, label]) => <option key={days} value={days}>{label}</option>)}
          </Select>
        </Field>
        <Field label="Allowed networks" fault={faultAt(error, '/allowedNetworks')} hint="CIDR blocks, such as 203.0.113.0/24. Empty: any address.">
          <TextInput value={draft.networks} onChange={(event) => change({ networks: event.target.value })} autoComplete="off" />
        </Field>
      </div>
    </div>
  )
}
