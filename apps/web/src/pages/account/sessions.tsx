import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type AccountSession, accountSessionsOptions, endSession } from '../../api/account.ts'
import { messageOf } from '../../api/request.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { browserName } from './browser-name.ts'

export function Sessions() {
  const sessions = useQuery(accountSessionsOptions)
  return (
    <Card
      title="Active sessions"
      description="If you don’t recognize a session, sign it out and change your password."
    >
      <Loaded query={sessions} skeleton={<Skeleton rows={2} />}>
        {(items) => (
          <ul className="-my-2 divide-y divide-line">
            {items.map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function SessionItem({ session }: { session: AccountSession }) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const name = browserName(session.userAgent)
  const ending = useMutation({
    mutationFn: endSession,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountSessionsOptions.queryKey }),
    onError: (error) => toast.show({ message: messageOf(error), isProblem: true }),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <div className="mr-auto min-w-0">
        <p className="flex flex-wrap items-center gap-2" title={session.userAgent ?? undefined}>
          {name}
          {session.isCurrent && <Badge color="good">This browser</Badge>}
        </p>
        <p className="text-xs text-soft">
          {session.organizationName} · last active <RelativeTime at={session.lastSeenAt} /> · signed in{' '}
          <RelativeTime at={session.createdAt} />
        </p>
      </div>
      {!session.isCurrent && (
        <Button
          size="small"
          isBusy={ending.isPending}
          onClick={() => ending.mutate(session.id)}
          aria-label={`Sign out ${name}`}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}
