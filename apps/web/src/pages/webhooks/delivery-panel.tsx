import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Delivery, deliveryOptions, resendDelivery } from '../../api/deliveries.ts'
import { messageOf } from '../../api/request.ts'
import type { Endpoint } from '../../api/webhook-endpoints.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Problem } from '../../ui/notice.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { AttemptTimeline } from './attempt-timeline.tsx'
import { curlCommand } from './curl-command.ts'
import { DeliveryStatus } from './delivery-status.tsx'
import { aboutEventTypes } from '../../api/generated/event-types.ts'
import { useRefreshEndpoint } from './use-refresh-endpoint.ts'

/** One delivery in a side panel, with its own URL. */
export function DeliveryPanel(props: {
  deliveryId: string | null
  endpoint: Endpoint
  onChange(deliveryId: string | null): void
}) {
  const { deliveryId, endpoint, onChange } = props
  return (
    <Dialog
      isSheet
      title="Delivery"
      isOpen={deliveryId !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) onChange(null)
      }}
    >
      {deliveryId !== null && (
        <LoadedDelivery
          key={deliveryId}
          deliveryId={deliveryId}
          endpoint={endpoint}
          onResent={(delivery) => onChange(delivery.id)}
        />
      )}
    </Dialog>
  )
}

function LoadedDelivery(props: { deliveryId: string; endpoint: Endpoint; onResent(delivery: Delivery): void }) {
  const query = useQuery(deliveryOptions(props.deliveryId))
  return (
    <Loaded query={query}>
      {(delivery) => (
        <div className="grid grid-cols-1 gap-5">
          <Facts delivery={delivery} />
          <Actions delivery={delivery} endpoint={props.endpoint} onResent={props.onResent} />
          <section className="grid grid-cols-1 gap-3" aria-label="Attempts of this delivery">
            <h3 className="font-semibold">Attempts</h3>
            <AttemptTimeline delivery={delivery} />
          </section>
        </div>
      )}
    </Loaded>
  )
}

function Facts({ delivery }: { delivery: Delivery }) {
  const about = aboutEventTypes[delivery.eventType]
  const data = dataOf(delivery.request.body)
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 [&_dt]:text-soft">
      <Fact name="State">
        <span className="flex flex-wrap gap-2" role="status">
          <DeliveryStatus delivery={delivery} />
          {delivery.isTest && <Badge>Test</Badge>}
        </span>
      </Fact>
      <Fact name="Event">
        {about.label} <code className="text-xs text-soft">{delivery.eventType}</code>
      </Fact>
      <Fact name="Event ID"><code className="text-xs">{delivery.eventId}</code></Fact>
      <Fact name="Delivery ID"><code className="text-xs">{delivery.id}</code></Fact>
      {data.automationName !== undefined && (
        <Fact name="Automation">
          {data.chatUrl === undefined || delivery.isTest ? data.automationName : (
            <TextLink href={new URL(data.chatUrl).pathname}>{data.automationName}</TextLink>
          )}
        </Fact>
      )}
      <Fact name={delivery.requestedBy === null ? 'Published' : 'Resent'}>
        <Time at={delivery.createdAt} />
        {delivery.requestedByName !== null && ` by ${delivery.requestedByName}`}
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

function Actions(props: { delivery: Delivery; endpoint: Endpoint; onResent(delivery: Delivery): void }) {
  const { delivery, endpoint, onResent } = props
  const client = useQueryClient()
  const refresh = useRefreshEndpoint(endpoint.id)
  const resending = useMutation({
    mutationFn: () => resendDelivery(delivery.id),
    onSuccess(resent) {
      client.setQueryData(deliveryOptions(resent.id).queryKey, resent)
      refresh()
      onResent(resent)
    },
  })
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          size="small"
          icon={<RotateCcw />}
          isBusy={resending.isPending}
          disabled={endpoint.state === 'disabled'}
          onClick={() => resending.mutate()}
        >
          Resend delivery
        </Button>
        <CopyButton text={curlCommand(delivery)} label="Copy as curl" />
      </div>
      {endpoint.state === 'disabled' && <p className="text-xs text-soft">Enable the endpoint to resend this delivery.</p>}
      {resending.isError && <Problem message={messageOf(resending.error)} />}
    </div>
  )
}

function dataOf(body: string): { automationName?: string; chatUrl?: string } {
  try {
    return (JSON.parse(body) as { data: { automationName?: string; chatUrl?: string } }).data
  } catch {
    return {}
  }
}
