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

const forAdmins = 'Only admins can manage webhooks. Ask an admin to add an endpoint, or to make you an admin.'

/** Shows the webhook pages to admins if webhooks are on, and otherwise explains why there is nothing to see. */
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
      title="Webhooks are off"
      icon={<Webhook />}
      action={
        <Button kind="primary" isBusy={switching.isPending} onClick={() => switching.mutate()}>
          Turn on webhooks
        </Button>
      }
    >
      <p>
        While webhooks are off, no events are published or sent for your organization. Endpoints and secrets are kept, and pending
        deliveries resume when you turn webhooks on.
      </p>
      {switching.isError && <Problem message={messageOf(switching.error)} />}
    </EmptyState>
  )
}
