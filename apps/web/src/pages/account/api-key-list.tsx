import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiKeysOptions, type ListedApiKey, revokeApiKey } from '../../api/api-keys.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { RelativeTime } from '../../ui/time.tsx'

/** One's own keys first; admins also see those of the others, whose names are told. */
export function ApiKeyList({ keys, onRevoked }: { keys: ListedApiKey[]; onRevoked(id: string): void }) {
  const { user } = useSession()
  if (keys.length === 0) {
    return <p className="text-soft">No keys yet. Create one for each program, so that you can revoke it alone.</p>
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
  const [isAsking, setIsAsking] = useState(false)
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
      </div>
      <Button size="small" onClick={() => setIsAsking(true)} aria-label={`Revoke ${apiKey.name}`}>Revoke</Button>
      <ConfirmDialog
        title={`Revoke ${apiKey.name}?`}
        confirmLabel="Revoke key"
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        isBusy={revoking.isPending}
        error={revoking.error}
        onConfirm={() => revoking.mutate()}
      >
        Programs that use it are refused from the next request on. This cannot be undone.
      </ConfirmDialog>
    </li>
  )
}
