import { findEndpoint } from '../../../store/webhooks/endpoints-table.ts'
import { recordAction } from '../../audit/record-action.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireWebhooks } from '../../people/organization-settings.ts'
import type { DeliveryInFull } from '../../../model/delivery-log.ts'
import { getDeliveryInFull } from '../deliveries/deliveries.ts'
import type { EventContent } from '../../../model/event.ts'
import { definedEvents, type EventType } from '../../../model/event-type.ts'
import { type Published, publishTestEvent } from '../events/publish-event.ts'
import { checkUrl } from './check-endpoint.ts'
import type { EndpointsDeps } from './endpoints.ts'
import { endpointSubject, requireEndpoint } from './require-endpoint.ts'

/** Sends a sample event to one endpoint, even a disabled one: people test an endpoint before they enable it. */
export async function sendTestEvent(
  deps: EndpointsDeps & { baseUrl: string },
  caller: Caller,
  endpointId: string,
  input: { eventType?: EventType },
): Promise<DeliveryInFull> {
  await requireWebhooks(deps, caller)
  const { deliveryIds } = await publishToEndpoint(deps, caller, endpointId, input)
  return getDeliveryInFull(deps, caller, deliveryIds[0]!)
}

/** Does not check permissions: for callers that have. */
export async function publishToEndpoint(
  deps: EndpointsDeps & { baseUrl: string },
  caller: Caller,
  endpointId: string,
  input: { eventType?: EventType },
): Promise<Published> {
  const { organizationId } = caller
  const endpoint = await requireEndpoint(caller, endpointId, (key) => findEndpoint(deps.db, key))
  // The attempt would fail for the same reason; this way the person learns of it at once.
  await checkUrl(deps, endpoint.url)
  const content = sampleContent(input.eventType ?? endpoint.eventTypes[0]!, deps.baseUrl)
  return deps.db.transaction().execute(async (tx) => {
    const published = await publishTestEvent({ ...deps, tx }, { organizationId, endpointId, content })
    const entry = { action: 'webhook_endpoint.test_sent', subject: endpointSubject(endpoint) } as const
    const details = { eventType: content.type, deliveryId: published.deliveryIds[0] ?? null }
    await recordAction({ ...deps, tx }, caller, { ...entry, details })
    return published
  })
}

/** Clearly marked as a sample, for people who read it and for programs that look up its ids. */
export function sampleContent(type: EventType, baseUrl: string): EventContent {
  const { fields, sample } = definedEvents[type]
  const common = {
    automationId: 'automation_sample',
    automationName: 'Sample automation',
    runId: 'arun_sample',
    chatUrl: `${baseUrl}/chats/sample`,
    permalink: `${baseUrl}/q/sample0000`,
    rowsUrl: `${baseUrl}/api/references/sample0000/changes/1/rows`,
    patchUrl: `${baseUrl}/api/references/sample0000/changes/1/patch`,
  }
  const its = Object.fromEntries(Object.entries(common).filter(([name]) => Object.hasOwn(fields, name)))
  return { type, data: { ...its, ...sample } } as unknown as EventContent
}
