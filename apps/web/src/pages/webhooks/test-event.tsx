import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { deliveryOptions } from '../../api/deliveries.ts'
import { messageOf } from '../../api/request.ts'
import { type Endpoint, type EventType, eventTypes, sendTestEvent } from '../../api/webhook-endpoints.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Problem } from '../../ui/notice.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { AttemptTimeline } from './attempt-timeline.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { aboutEventTypes } from '../../api/generated/event-types.ts'
import { useRefreshEndpoint } from './use-refresh-endpoint.ts'

const sendButtonId = 'send-test-event'

/** Focuses the send button, after the tab that contains it has rendered. */
export function focusTestEventButton(): void {
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(sendButtonId)?.focus()))
}

/** Sends a sample event and shows the request and the response as they happen. */
export function TestEvent({ endpoint }: { endpoint: Endpoint }) {
  const client = useQueryClient()
  const refresh = useRefreshEndpoint(endpoint.id)
  const [eventType, setEventType] = useState<EventType>(endpoint.eventTypes[0] ?? eventTypes[0])
  const [deliveryId, setDeliveryId] = useState<string>()
  const sending = useMutation({
    mutationFn: () => sendTestEvent(endpoint.id, eventType),
    onSuccess(delivery) {
      client.setQueryData(deliveryOptions(delivery.id).queryKey, delivery)
      setDeliveryId(delivery.id)
      refresh()
    },
  })
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Event">
          <Select className="w-auto" value={eventType} onChange={(event) => setEventType(event.target.value as EventType)}>
            {eventTypes.map((type) => (
              <option key={type} value={type}>{aboutEventTypes[type].label}</option>
            ))}
          </Select>
        </Field>
        <Button
          id={sendButtonId}
          kind="primary"
          icon={<Send />}
          isBusy={sending.isPending}
          onClick={() => sending.mutate()}
        >
          {deliveryId === undefined ? 'Send test event' : 'Send another'}
        </Button>
      </div>
      {sending.isError && <Problem message={messageOf(sending.error)} />}
      {deliveryId !== undefined && <Outcome key={deliveryId} deliveryId={deliveryId} />}
    </div>
  )
}

function Outcome({ deliveryId }: { deliveryId: string }) {
  const query = useQuery(deliveryOptions(deliveryId))
  return (
    <Loaded query={query}>
      {(delivery) => (
        <div className="grid grid-cols-1 gap-3">
          <p className="flex flex-wrap items-center gap-2" role="status">
            <DeliveryStatus delivery={delivery} />
            {delivery.state === 'delivered' && (
              <span>
                Your app accepted it. For a real event, <TextLink href={paths.automations}>run an automation</TextLink>.
              </span>
            )}
            {delivery.state === 'pending' && delivery.attemptCount > 0 && 'Not delivered yet. See the reason below.'}
          </p>
          <AttemptTimeline delivery={delivery} />
        </div>
      )}
    </Loaded>
  )
}
