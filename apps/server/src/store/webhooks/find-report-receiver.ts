import type { Db } from '../db.ts'
import type { EndpointKey } from './endpoints-table.ts'

/** An endpoint as the receiver of reports. It gets none while webhooks are turned off for the organization. */
export async function findReportReceiver(
  db: Db,
  key: EndpointKey,
): Promise<{ url: string; isEnabled: boolean; sealedSecret: Uint8Array } | undefined> {
  const row = await db
    .selectFrom('webhook_endpoints as endpoint')
    .innerJoin('organizations as organization', 'organization.id', 'endpoint.organization_id')
    .select(['endpoint.url', 'endpoint.state', 'endpoint.secret', 'organization.webhooks_enabled as isOn'])
    .where('endpoint.id', '=', key.endpointId)
    .where('endpoint.organization_id', '=', key.organizationId)
    .where('endpoint.deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { url: row.url, isEnabled: row.state === 'enabled' && row.isOn, sealedSecret: row.secret }
}
