import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addGitRepository,
  type GitRepository,
  gitRepositoriesOptions,
  type NewRepositorySecret,
  removeGitRepository,
  rotateRepositorySecret,
} from '../../api/git-repositories.ts'
import { messageOf } from '../../api/request.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NewSecret } from '../../ui/new-secret.tsx'
import { Problem } from '../../ui/notice.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'

/** The Git repositories that push their files with signed requests: add one, replace its secret, remove it. For admins. */
export function GitRepositories() {
  const query = useQuery(gitRepositoriesOptions)
  const [shown, setShown] = useState<NewRepositorySecret>()
  const [asked, setAsked] = useState<{ action: 'rotate' | 'end'; repository: GitRepository }>()
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: gitRepositoriesOptions.queryKey })
  const acting = useMutation({
    mutationFn: (act: () => Promise<NewRepositorySecret | null>) => act(),
    onSuccess: async (created) => {
      setShown(created ?? undefined)
      setAsked(undefined)
      await refresh()
    },
  })
  return (
    <Card title="Git repositories">
      <div className="grid gap-3">
        <p className="text-soft">
          Let CI push queries and boards from a repository. People can then only change them there.{' '}
          <TextLink href="/docs/files#push-without-an-api-key">Learn more</TextLink>
        </p>
        <AddRepository
          onAdded={async (created) => {
            setShown(created)
            await refresh()
          }}
        />
        {shown && <NewSecret values={[{ label: 'Push URL', text: shown.pushUrl }, { label: 'Secret', text: shown.secret }]} />}
        <Loaded query={query}>
          {(repositories) => (
            <ul className="divide-y divide-line" aria-label="Git repositories">
              {repositories.map((repository) => (
                <RepositoryItem key={repository.id} repository={repository} onAsk={(action) => setAsked({ action, repository })} />
              ))}
            </ul>
          )}
        </Loaded>
        <SecretDialog
          asked={asked?.action}
          ending={{
            title: `Remove “${asked?.repository.name ?? ''}”?`,
            confirmLabel: 'Remove repository',
            explanation: 'Its pushes are refused from now on. What it pushed stays, and can only be changed by another push.',
          }}
          isBusy={acting.isPending}
          error={acting.error}
          onRotate={(overlapHours) => acting.mutate(() => rotateRepositorySecret(asked!.repository.id, overlapHours))}
          onEnd={() => acting.mutate(() => removeGitRepository(asked!.repository.id))}
          onClose={() => setAsked(undefined)}
        />
      </div>
    </Card>
  )
}

function AddRepository({ onAdded }: { onAdded(created: NewRepositorySecret): Promise<void> }) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const adding = useMutation({
    mutationFn: () => addGitRepository({ name, url }),
    onSuccess: async (created) => {
      setName('')
      setUrl('')
      await onAdded(created)
    },
  })
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        adding.mutate()
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Repository" className="min-w-40 flex-1">
          <TextInput value={name} placeholder="analytics" autoComplete="off" required maxLength={100} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label="Address of its files" className="min-w-64 flex-2">
          <TextInput
            type="url"
            value={url}
            placeholder="https://github.com/acme/analytics/blob/main/"
            autoComplete="off"
            required
            onChange={({ target }) => setUrl(target.value)}
          />
        </Field>
        <Button type="submit" isBusy={adding.isPending}>Add repository</Button>
      </div>
      {adding.isError && <Problem message={messageOf(adding.error)} />}
    </form>
  )
}

function RepositoryItem({ repository, onAsk }: { repository: GitRepository; onAsk(action: 'rotate' | 'end'): void }) {
  const { name, url, createdBy, createdAt, lastPushedAt, previousSecretUntil } = repository
  const isOverlapping = previousSecretUntil !== null && new Date(previousSecretUntil) > new Date()
  return (
    <li className="flex flex-wrap items-center gap-2 py-2.5">
      <div className="mr-auto min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          {name}
          <a href={url} target="_blank" rel="noreferrer" className="text-xs text-soft underline [overflow-wrap:anywhere]">{url}</a>
          {isOverlapping && <Badge color="warning">Old secret valid until <RelativeTime at={previousSecretUntil} /></Badge>}
        </p>
        <p className="text-xs text-soft">
          {lastPushedAt === null ? 'Never pushed' : <>Last pushed <RelativeTime key={lastPushedAt} at={lastPushedAt} /></>}
          {' · '}Added by {createdBy.name} <RelativeTime at={createdAt} />
        </p>
      </div>
      <Button size="small" onClick={() => onAsk('rotate')}>Rotate secret</Button>
      <Button size="small" kind="ghost" onClick={() => onAsk('end')}>Remove</Button>
    </li>
  )
}
