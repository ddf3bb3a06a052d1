import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '../../api/request.ts'
import { useIsAdmin } from '../../api/session.ts'
import { switchWebhooksOn, webhooksSwitchOptions } from '../../api/webhook-endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded, NoPermission } from '../../ui/loaded.tsx'
import { Problem } from '../../ui/notice.tsx'

const forAdmins =
  'Webhooks are set up by the admins of your organization. Ask one of them to add an endpoint, or to make you an admin.'

/** All about webhooks is for admins of an organization that has them switched on; the others learn why they see nothing. */
export function WebhooksGate({ children }: { children: ReactNode }) {
  if (!useIsAdmin()) return <NoPermission message={forAdmins} />
  return <IfSwitchedOn>{children}</IfSwitchedOn>
}

function IfSwitchedOn({ children }: { children: ReactNode }) {
  const query = useQuery(webhooksSwitchOptions)
  return <Loaded query={query}>{(isOn) => (isOn ? children : <SwitchedOff />)}</Loaded>
}

function SwitchedOff() {
  const client = useQueryClient()
  const switching = useMutation({
    mutationFn: switchWebhooksOn,
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhook-endpoints'] }),
  })
  return (
    <EmptyState
      title="Webhooks are switched off"
      icon={<Webhook />}
      action={
        <Button kind="primary" isBusy={switching.isPending} onClick={() => switching.mutate()}>
          Switch webhooks on
        </Button>
      }
    >
      <p>
        While they are off, no event is published for your organization and nothing is sent. Endpoints and their secrets are kept;
        what was on its way goes on when you switch them on.
      </p>
      {switching.isError && <Problem message={messageOf(switching.error)} />}
    </EmptyState>
  )
}
