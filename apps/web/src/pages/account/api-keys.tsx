import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { apiKeysOptions, createApiKey, type CreatedApiKey } from '../../api/api-keys.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ApiKeyList } from './api-key-list.tsx'
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
  const [name, setName] = useState('')
  const queryClient = useQueryClient()
  const creating = useMutation({
    mutationFn: createApiKey,
    onSuccess: async (key) => {
      setName('')
      onCreated(key)
      await queryClient.invalidateQueries({ queryKey: apiKeysOptions.queryKey })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    creating.mutate(name)
  }
  return (
    <form className="grid gap-2" onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Key name" className="min-w-48 flex-1" fault={faultAt(creating.error, '/name')}>
          <TextInput
            value={name}
            onChange={(event) => setName(event.target.value)}
            placeholder="Nightly report"
            autoComplete="off"
            required
            maxLength={100}
          />
        </Field>
        <Button type="submit" kind="primary" isBusy={creating.isPending}>Create key</Button>
      </div>
      <FormProblem error={creating.error} fields={['/name']} />
    </form>
  )
}
