import type { EndpointKey } from '../../../store/webhooks/endpoints-table.ts'
import { redactUrl } from '../../audit/changes.ts'
import { isId } from '../../ids.ts'
import type { Caller } from '../../../model/caller.ts'
import { Refusal } from '../../refusal.ts'

/**
 * Looks up something of an endpoint of the caller's organization. Throws if there is none; endpoints of other organizations do not
 * exist for the caller.
 */
export async function requireEndpoint<Found>(
  caller: Caller,
  endpointId: string,
  find: (key: EndpointKey) => Promise<Found | undefined>,
): Promise<Found> {
  const found = isId(endpointId) ? await find({ organizationId: caller.organizationId, endpointId }) : undefined
  if (found === undefined) {
    const named = JSON.stringify(endpointId)
    throw new Refusal('endpoint_not_found', `There is no webhook endpoint ${named}. Check the list of endpoints.`)
  }
  return found
}

/** Its name in the audit log. */
export const endpointSubject = ({ id, url }: { id: string; url: string }) =>
  ({ type: 'webhook_endpoint', id, name: redactUrl(url) }) as const

export const endpointDisabled = () =>
  new Refusal('endpoint_disabled', 'This endpoint is disabled and receives only test events. Enable it first.')
