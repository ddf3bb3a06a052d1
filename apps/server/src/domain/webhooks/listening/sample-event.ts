import { countListeners } from '../../../store/webhooks/event-listeners.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireWebhooks, requireWebhooksEnabled } from '../../people/organization-settings.ts'
import type { EndpointsDeps } from '../endpoints/endpoints.ts'
import { publishToEndpoint, sampleContent } from '../endpoints/send-test-event.ts'
import type { EventType } from '../../../model/event-type.ts'
import { publishTestEvent } from '../events/publish-event.ts'

export interface SampleEvent {
  id: string
  type: EventType
  createdAt: Date
  /** How many are listening now, at all processes. */
  listenerCount: number
  /** The delivery to the given endpoint, if any. */
  deliveryId: string | null
}

/**
 * Creates a sample event for all listeners of the organization, and for an endpoint if an admin names one. It is never sent to any
 * other endpoint.
 */
export async function createSampleEvent(
  deps: EndpointsDeps & { baseUrl: string },
  caller: Caller,
  input: { type: EventType; endpointId?: string | undefined },
): Promise<SampleEvent> {
  const { organizationId } = caller
  const { type, endpointId } = input
  if (endpointId === undefined) await requireWebhooksEnabled(deps, caller)
  else await requireWebhooks(deps, caller)
  const published =
    endpointId === undefined
      ? await deps.db.transaction().execute((tx) => {
          const content = sampleContent(type, deps.baseUrl)
          return publishTestEvent({ ...deps, tx }, { organizationId, content })
        })
      : await publishToEndpoint(deps, caller, endpointId, { eventType: type })
  const { eventId, createdAt, deliveryIds } = published
  const listenerCount = await countListeners(deps.db, organizationId, deps.clock.now())
  return { id: eventId, type, createdAt, listenerCount, deliveryId: deliveryIds[0] ?? null }
}
