import type { EndpointState } from '../../model/endpoint.ts'
import type { Tx } from '../db.ts'

export interface FailingEndpoint {
  organizationId: string
  url: string
  state: EndpointState
  consecutiveFailures: number
  createdBy: string
}

/** Reads and locks an endpoint's failure state until the transaction ends. Publishing to it is not blocked. */
export async function lockFailingEndpoint(tx: Tx, endpointId: string): Promise<FailingEndpoint | undefined> {
  const row = await tx
    .selectFrom('webhook_endpoints')
    .select(['organization_id', 'url', 'state', 'consecutive_failures', 'created_by'])
    .where('id', '=', endpointId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  return {
    organizationId: row.organization_id,
    url: row.url,
    state: row.state,
    consecutiveFailures: row.consecutive_failures,
    createdBy: row.created_by,
  }
}

export async function countFailures(
  tx: Tx,
  options: { endpointId: string; consecutiveFailures: number },
): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ consecutive_failures: options.consecutiveFailures })
    .where('id', '=', options.endpointId)
    .execute()
}
