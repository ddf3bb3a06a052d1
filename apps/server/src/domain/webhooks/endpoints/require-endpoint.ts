import type { EndpointKey } from '../../../store/webhooks/endpoints-table.ts'
import { redactUrl } from '../../audit/changes.ts'
import { isId } from '../../ids.ts'
import type { Caller } from '../../../model/caller.ts'
import { Refusal } from '../../refusal.ts'

/** Finds something of one endpoint of the caller's organization, or refuses: what others have does not exist for it. */
export async function requireEndpoint<Found>(
  caller: Caller,
  endpointId: string,
  find: (key: EndpointKey) => Promise<Found | undefined>,
): Promise<Found> {
  const found = isId(endpointId) ? await find({ organizationId: caller.organizationId, endpointId }) : undefined
  if (found === undefined) {
    const named = JSON.stringify(endpointId)
    throw new Refusal('endpoint_not_found', `There is no webhook endpoint ${named}. Look at the list of endpoints.`)
  }
  return found
}

/** As records of the audit log name it. */
export const endpointSubject = ({ id, url }: { id: string; url: string }) =>
  ({ type: 'webhook_endpoint', id, name: redactUrl(url) }) as const

export const endpointDisabled = () =>
  new Refusal('endpoint_disabled', 'This endpoint is disabled, so nothing is sent to it but tests. Enable it first.')
