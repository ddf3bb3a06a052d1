import type { Tx } from '../db.ts'
import type { EndpointState } from '../../domain/webhooks/endpoints/endpoint.ts'

export interface FailingEndpoint {
  organizationId: string
  url: string
  state: EndpointState
  consecutiveFailures: number
  createdBy: string
}

/** Reads what is needed to judge an endpoint, and keeps others from judging it until the transaction ends. */
export async function lockEndpoint(tx: Tx, endpointId: string): Promise<FailingEndpoint | undefined> {
  const row = await tx
    .selectFrom('webhook_endpoints')
    .select(['organization_id', 'url', 'state', 'consecutive_failures', 'created_by'])
    .where('id', '=', endpointId)
    .where('deleted_at', 'is', null)
    .forUpdate()
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

export async function markDisabled(
  tx: Tx,
  options: { endpointId: string; reason: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ state: 'disabled', disabled_at: options.now, disabled_reason: options.reason, updated_at: options.now })
    .where('id', '=', options.endpointId)
    .execute()
}
