import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createEmbedSecret, embeddingOptions, type EmbedSecret, type NewEmbedSecret, revokeEmbedSecret, rotateEmbedSecret } from '../../api/embedding.ts'
import { messageOf } from '../../api/request.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { NewSecret } from '../../ui/new-secret.tsx'
import { Problem } from '../../ui/notice.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { RelativeTime } from '../../ui/time.tsx'

/** The secrets that sign tokens: create, replace and revoke them. */
export function EmbedSecrets({ secrets }: { secrets: EmbedSecret[] }) {
  const [name, setName] = useState('')
  const [shown, setShown] = useState<NewEmbedSecret>()
  const [asked, setAsked] = useState<{ action: 'rotate' | 'end'; secret: EmbedSecret }>()
  const client = useQueryClient()
  const acting = useMutation({
    mutationFn: (act: () => Promise<NewEmbedSecret | null>) => act(),
    onSuccess: async (created) => {
      if (created) setShown(created)
      setAsked(undefined)
      setName('')
      await client.invalidateQueries({ queryKey: embeddingOptions.queryKey })
    },
  })
  return (
    <section className="grid gap-3" aria-label="Embedding secrets">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          acting.mutate(() => createEmbedSecret(name))
        }}
      >
        <Field label="Secret name" className="min-w-48 flex-1">
          <TextInput value={name} placeholder="Customer portal" autoComplete="off" required maxLength={100} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Button type="submit" isBusy={acting.isPending && !asked}>Create secret</Button>
      </form>
      {acting.isError && !asked && <Problem message={messageOf(acting.error)} />}
      {shown && <NewSecret values={[{ label: 'Key id (kid)', text: shown.id }, { label: 'Secret', text: shown.secret }]} />}
      <ul className="divide-y divide-line" aria-label="Secrets">
        {secrets.map((secret) => (
          <li key={secret.id} className="flex flex-wrap items-center gap-2 py-2.5">
            <div className="mr-auto min-w-0">
              <p className="flex flex-wrap items-center gap-2">
                {secret.name} <code className="font-mono text-xs text-soft">{secret.id}</code>
                {secret.expiresAt !== null && <Badge color="warning">Replaced, valid until <RelativeTime at={secret.expiresAt} /></Badge>}
              </p>
              <p className="text-xs text-soft">
                {secret.lastUsedAt === null ? 'Never used' : <>Last used <RelativeTime key={secret.lastUsedAt} at={secret.lastUsedAt} /></>}
                {' · '}Created by {secret.createdBy.name} <RelativeTime at={secret.createdAt} />
              </p>
            </div>
            {secret.expiresAt === null && <Button size="small" onClick={() => setAsked({ action: 'rotate', secret })}>Rotate</Button>}
            <Button size="small" kind="ghost" onClick={() => setAsked({ action: 'end', secret })}>Revoke</Button>
          </li>
        ))}
      </ul>
      <SecretDialog
        asked={asked?.action}
        ending={{
          title: 'Revoke this secret?',
          confirmLabel: 'Revoke secret',
          explanation: 'Pages with tokens of this secret stop working at once.',
        }}
        isBusy={acting.isPending}
        error={acting.error}
        onRotate={(overlapHours) => acting.mutate(() => rotateEmbedSecret(asked!.secret.id, overlapHours))}
        onEnd={() => acting.mutate(() => revokeEmbedSecret(asked!.secret.id))}
        onClose={() => setAsked(undefined)}
      />
    </section>
  )
}
