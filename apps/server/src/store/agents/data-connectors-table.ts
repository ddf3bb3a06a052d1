import type { DataConnector } from '../../model/data-connector.ts'
import type { Db, Tx } from '../db.ts'

export interface ConnectorKey {
  organizationId: string
  connectorId: string
}

export interface StoredConnector extends DataConnector {
  /** Null if the connector has no headers. */
  sealedHeaders: Uint8Array | null
}

/** Oldest first. */
export async function listConnectors(db: Db | Tx, organizationId: string): Promise<StoredConnector[]> {
  const ofOrganization = select(db).where('organization_id', '=', organizationId)
  const rows = await ofOrganization.orderBy('created_at').orderBy('id').execute()
  return rows.map(present)
}

export async function findConnector(db: Db | Tx, key: ConnectorKey): Promise<StoredConnector | undefined> {
  const row = await select(db)
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.connectorId)
    .executeTakeFirst()
  return row && present(row)
}

/** Locks the organization's connectors against changes until the transaction ends. */
export async function lockConnectors(tx: Tx, organizationId: string): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}

/** Whether another connector has the name, ignoring case. */
export async function isNameTaken(
  tx: Tx,
  { organizationId, name, exceptId }: { organizationId: string; name: string; exceptId: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom('data_connectors')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(({ eb, fn, val }) => eb(fn('lower', ['name']), '=', fn('lower', [val(name)])))
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertConnector(tx: Tx, connector: StoredConnector): Promise<void> {
  await tx
    .insertInto('data_connectors')
    .values({
      id: connector.id,
      organization_id: connector.organizationId,
      created_by: connector.createdBy,
      created_at: connector.createdAt,
      ...changeable(connector),
    })
    .execute()
}

export async function updateConnector(tx: Tx, connector: StoredConnector): Promise<void> {
  await tx.updateTable('data_connectors').set(changeable(connector)).where('id', '=', connector.id).execute()
}

/** False if it does not exist. */
export async function deleteConnector(db: Db, key: ConnectorKey): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('data_connectors')
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.connectorId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const select = (db: Db | Tx) => db.selectFrom('data_connectors').selectAll()

const changeable = ({ name, url, headerNames, sealedHeaders, enabled, updatedAt }: StoredConnector) => ({
  name,
  url,
  header_names: headerNames,
  headers: sealedHeaders,
  enabled,
  updated_at: updatedAt,
})

function present(row: Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]): StoredConnector {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    url: row.url,
    headerNames: row.header_names,
    sealedHeaders: row.headers,
    enabled: row.enabled,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
