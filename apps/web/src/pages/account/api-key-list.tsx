import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiKeysOptions, groupsOfKeysOptions, type ListedApiKey, revokeApiKey } from '../../api/api-keys.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { ApiKeyDialog } from './api-key-dialog.tsx'
import { describeGroups, describeScopes } from './api-key-draft.ts'

/** The person's own keys first. Admins also see other people's keys, with their owners. */
export function ApiKeyList({ keys, onRevoked }: { keys: ListedApiKey[]; onRevoked(id: string): void }) {
  const { user } = useSession()
  if (keys.length === 0) {
    return <p className="text-soft">No API keys yet. Create one for each app, so you can revoke them separately.</p>
  }
  const isOwn = (key: ListedApiKey) => key.user.id === user.id
  const ordered = [...keys.filter(isOwn), ...keys.filter((key) => !isOwn(key))]
  return (
    <ul className="divide-y divide-line border-t border-line" aria-label="API keys">
      {ordered.map((key) => (
        <ApiKeyItem key={key.id} apiKey={key} isOwn={isOwn(key)} onRevoked={() => onRevoked(key.id)} />
      ))}
    </ul>
  )
}

function ApiKeyItem({ apiKey, isOwn, onRevoked }: { apiKey: ListedApiKey; isOwn: boolean; onRevoked(): void }) {
  const [isEditing, setIsEditing] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const nameOf = new Map(useQuery(groupsOfKeysOptions).data?.map(({ id, name }) => [id, name]))
  const queryClient = useQueryClient()
  const revoking = useMutation({
    mutationFn: () => revokeApiKey(apiKey.id),
    onSuccess: async () => {
      onRevoked()
      await queryClient.invalidateQueries({ queryKey: apiKeysOptions.queryKey })
    },
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <div className="mr-auto min-w-0">
        <p className="font-medium [overflow-wrap:anywhere]">{apiKey.name}</p>
        <p className="text-xs text-soft [overflow-wrap:anywhere]">
          <code className="font-mono">{apiKey.prefix}…</code>
          {!isOwn && ` · acts as ${apiKey.user.email}`} · created <RelativeTime at={apiKey.createdAt} /> ·{' '}
          {apiKey.lastUsedAt === null ? 'never used' : <>last used <RelativeTime at={apiKey.lastUsedAt} /></>}
        </p>
        <p className="text-xs text-soft [overflow-wrap:anywhere]">
          May {describeScopes(apiKey.scopes)}
          {apiKey.expiresAt !== null && <> · {new Date(apiKey.expiresAt) <= new Date() ? 'expired' : 'expires'} <RelativeTime at={apiKey.expiresAt} /></>}
          {apiKey.groupIds && ` · ${describeGroups(apiKey.groupIds.flatMap((id) => nameOf.get(id) ?? []))}`}
          {apiKey.allowedNetworks && ` · only from ${apiKey.allowedNetworks.join(', ')}`}
        </p>
      </div>
      <Button size="small" onClick={() => setIsEditing(true)} aria-label={`Edit ${apiKey.name}`}>Edit</Button>
      {isEditing && <ApiKeyDialog apiKey={apiKey} onClose={() => setIsEditing(false)} />}
      <Button size="small" onClick={() => setIsConfirming(true)} aria-label={`Revoke ${apiKey.name}`}>Revoke</Button>
      <ConfirmDialog
        title={`Revoke ${apiKey.name}?`}
        confirmLabel="Revoke key"
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        isBusy={revoking.isPending}
        error={revoking.error}
        onConfirm={() => revoking.mutate()}
      >
        Requests with this key will fail immediately. This can’t be undone.
      </ConfirmDialog>
    </li>
  )
}
