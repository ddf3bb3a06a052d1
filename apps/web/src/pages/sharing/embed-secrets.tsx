import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createEmbedSecret, embeddingOptions, type EmbedSecret, type NewEmbedSecret, revokeEmbedSecret, rotateEmbedSecret } from '../../api/embedding.ts'
import { messageOf } from '../../api/request.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { OverlapChoice } from '../../ui/overlap-choice.tsx'
import { ShownSecret } from '../../ui/shown-secret.tsx'
import { RelativeTime } from '../../ui/time.tsx'

/** The secrets that sign tokens: create, replace and revoke them. */
export function EmbedSecrets({ secrets }: { secrets: EmbedSecret[] }) {
  const [name, setName] = useState('')
  const [shown, setShown] = useState<NewEmbedSecret>()
  const [asked, setAsked] = useState<{ action: 'rotate' | 'revoke'; secret: EmbedSecret }>()
  const [overlapHours, setOverlapHours] = useState(24)
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
      {shown && (
        <Hint kind="good">
          <div className="grid gap-2">
            <p><strong className="font-semibold">Save this now.</strong> You won’t see the secret again.</p>
            <ShownSecret label="Key id (kid)" text={shown.id} />
            <ShownSecret label="Secret" text={shown.secret} />
          </div>
        </Hint>
      )}
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
            <Button size="small" kind="ghost" onClick={() => setAsked({ action: 'revoke', secret })}>Revoke</Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        title={asked?.action === 'rotate' ? 'Rotate this secret?' : 'Revoke this secret?'}
        confirmLabel={asked?.action === 'rotate' ? 'Rotate secret' : 'Revoke secret'}
        isHarmless={asked?.action === 'rotate' && overlapHours > 0}
        isOpen={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
        isBusy={acting.isPending}
        error={acting.error}
        onConfirm={() =>
          acting.mutate(() => (asked!.action === 'rotate' ? rotateEmbedSecret(asked!.secret.id, overlapHours) : revokeEmbedSecret(asked!.secret.id)))
        }
      >
        {asked?.action === 'rotate' ? (
          <OverlapChoice hours={overlapHours} onChange={setOverlapHours} />
        ) : (
          'Pages with tokens of this secret stop working at once.'
        )}
      </ConfirmDialog>
    </section>
  )
}
