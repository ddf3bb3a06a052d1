import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Invitation,
  invitationsOptions,
  type NewInvitation,
  renewInvitation,
  withdrawInvitation,
} from '../../api/invitations.ts'
import { messageOf } from '../../api/request.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Invitations that have not been accepted. */
export function InvitationList({ onRenewed }: { onRenewed(invitation: NewInvitation): void }) {
  const invitations = useQuery(invitationsOptions)
  return (
    <Card title="Open invitations">
      <Loaded query={invitations} skeleton={<Skeleton rows={1} />}>
        {(items) =>
          items.length === 0 ? (
            <p className="text-soft">No open invitations. People you invite appear here until they join.</p>
          ) : (
            <ul className="-my-2 divide-y divide-line" aria-label="Open invitations">
              {items.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} onRenewed={onRenewed} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function InvitationRow({ invitation, onRenewed }: { invitation: Invitation; onRenewed(renewed: NewInvitation): void }) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const afterwards = {
    onError: (error: unknown) => toast.show({ message: messageOf(error), isProblem: true }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationsOptions.queryKey, exact: true }),
  }
  const withdrawing = useMutation({ mutationFn: withdrawInvitation, ...afterwards })
  const renewing = useMutation({ mutationFn: renewInvitation, onSuccess: onRenewed, ...afterwards })
  const { id, email, role, invitedBy, expiresAt } = invitation
  const isExpired = Date.parse(expiresAt) <= Date.now()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
      <div className="mr-auto min-w-0">
        <p className="flex flex-wrap items-center gap-2 [overflow-wrap:anywhere]">
          {email}
          {role === 'admin' && <Badge color="accent">Admin</Badge>}
          {isExpired && <Badge color="warning">Expired</Badge>}
        </p>
        <p className="text-xs text-soft">
          Invited by {invitedBy.name} · {isExpired ? 'expired' : 'expires'} <RelativeTime at={expiresAt} />
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          size="small"
          isBusy={renewing.isPending}
          onClick={() => renewing.mutate(invitation)}
          aria-label={`New link for ${email}`}
        >
          New link
        </Button>
        <Button
          size="small"
          kind="ghost"
          isBusy={withdrawing.isPending}
          onClick={() => withdrawing.mutate(id)}
          aria-label={`Withdraw invitation for ${email}`}
        >
          Withdraw
        </Button>
      </div>
    </li>
  )
}
