import type { Endpoint } from '../../model/endpoint.ts'
import type { EventType } from '../../model/event-type.ts'
import type { Db, Tx } from '../db.ts'

/** No function here finds deleted endpoints. */
export interface EndpointKey {
  organizationId: string
  endpointId: string
}

/** Oldest first. */
export async function listEndpoints(db: Db, organizationId: string): Promise<Endpoint[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(present)
}

export async function findEndpoint(db: Db | Tx, key: EndpointKey): Promise<Endpoint | undefined> {
  const row = await one(db, key).executeTakeFirst()
  return row && present(row)
}

/**
 * Locks the endpoint against changes until the transaction ends. Use it to check the endpoint's state and act on it. The lock is a
 * "no key" update, because a plain one would block publishing: a delivery references its endpoint.
 */
export async function lockEndpoint(tx: Tx, key: EndpointKey): Promise<Endpoint | undefined> {
  const row = await one(tx, key).forNoKeyUpdate().executeTakeFirst()
  return row && present(row)
}

/**
 * Whether the endpoint is enabled and stays so until the transaction ends. Takes a shared lock, for which disabling waits.
 * Call it last, because recording attempts waits too.
 */
export async function staysEnabled(tx: Tx, key: EndpointKey): Promise<boolean> {
  const row = await one(tx, key).forShare().executeTakeFirst()
  return row?.state === 'enabled'
}

/** False if the organization already has `countMax` endpoints. Locks its row, so that concurrent inserts cannot exceed the limit. */
export async function insertEndpoint(
  tx: Tx,
  endpoint: Endpoint & { secret: Uint8Array },
  options: { countMax: number },
): Promise<boolean> {
  const { organizationId } = endpoint
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
  const { count } = await tx
    .selectFrom('webhook_endpoints')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= options.countMax) return false
  await tx
    .insertInto('webhook_endpoints')
    .values({
      id: endpoint.id,
      organization_id: organizationId,
      url: endpoint.url,
      description: endpoint.description,
      event_types: endpoint.eventTypes,
      is_ordered: endpoint.isOrdered,
      state: endpoint.state,
      secret: endpoint.secret,
      created_by: endpoint.createdBy,
      created_at: endpoint.createdAt,
      updated_at: endpoint.updatedAt,
    })
    .execute()
  return true
}

/** Undefined if it does not exist. */
export async function updateEndpoint(
  db: Db | Tx,
  key: EndpointKey,
  change: { url?: string; description?: string | null; eventTypes?: EventType[]; isOrdered?: boolean; now: Date },
): Promise<Endpoint | undefined> {
  const { url, description, eventTypes, isOrdered, now } = change
  const row = await db
    .updateTable('webhook_endpoints')
    .set({
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(eventTypes && { event_types: eventTypes }),
      ...(isOrdered !== undefined && { is_ordered: isOrdered }),
      updated_at: now,
    })
    .where('id', '=', key.endpointId)
    .where('organization_id', '=', key.organizationId)
    .where('deleted_at', 'is', null)
    .returning(columns)
    .executeTakeFirst()
  return row && present(row)
}

export async function setEndpointState(
  tx: Tx,
  endpointId: string,
  change: { now: Date } & ({ state: 'enabled' } | { state: 'disabled'; reason: string }),
): Promise<void> {
  const { now, state } = change
  await tx
    .updateTable('webhook_endpoints')
    .set({
      state,
      disabled_at: state === 'disabled' ? now : null,
      disabled_reason: state === 'disabled' ? change.reason : null,
      // Enabling an endpoint resets its failure count.
      ...(state === 'enabled' && { consecutive_failures: 0 }),
      updated_at: now,
    })
    .where('id', '=', endpointId)
    .execute()
}

/** Whether held deliveries are being released, which new ones of an ordered endpoint then follow. */
export async function setReleasing(tx: Tx, endpointId: string, isReleasing: boolean): Promise<void> {
  await tx.updateTable('webhook_endpoints').set({ is_releasing: isReleasing }).where('id', '=', endpointId).execute()
}

export async function isReleasing(db: Db, endpointId: string): Promise<boolean> {
  const row = await db.selectFrom('webhook_endpoints').select('is_releasing').where('id', '=', endpointId).executeTakeFirst()
  return row?.is_releasing ?? false
}

/** Locks the endpoint, and waits for transactions that have published to it to end. */
export async function lockAgainstPublishing(tx: Tx, endpointId: string): Promise<void> {
  await tx.selectFrom('webhook_endpoints').select('id').where('id', '=', endpointId).forUpdate().execute()
}

/** False if it does not exist. */
export async function markEndpointDeleted(db: Db, key: EndpointKey, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_endpoints')
    .set({ deleted_at: now, updated_at: now })
    .where('id', '=', key.endpointId)
    .where('organization_id', '=', key.organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Everything but the secrets, which only endpoint-secrets.ts reads. */
const columns = [
  'id',
  'organization_id',
  'url',
  'description',
  'event_types',
  'is_ordered',
  'state',
  'consecutive_failures',
  'disabled_at',
  'disabled_reason',
  'created_by',
  'created_at',
  'updated_at',
] as const

const one = (db: Db | Tx, key: EndpointKey) =>
  db
    .selectFrom('webhook_endpoints')
    .select(columns)
    .where('id', '=', key.endpointId)
    .where('organization_id', '=', key.organizationId)
    .where('deleted_at', 'is', null)

function present(row: Awaited<ReturnType<ReturnType<typeof one>['execute']>>[number]): Endpoint {
  return {
    id: row.id,
    organizationId: row.organization_id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types,
    isOrdered: row.is_ordered,
    state: row.state,
    consecutiveFailures: row.consecutive_failures,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
