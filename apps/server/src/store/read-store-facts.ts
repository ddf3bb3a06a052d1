import { sql } from 'kysely'
import type { StoreIdentity } from '../model/server-settings.ts'
import type { Db } from './db.ts'

export interface StoreFacts {
  identity: StoreIdentity
  hasSeveralOrganizations: boolean
}

/** Facts that decide which database connections are allowed. Reads at most two organizations. */
export async function readStoreFacts(db: Db): Promise<StoreFacts> {
  const { rows } = await sql<{
    system_identifier: string
    database_oid: string
    marker_oid: string | null
    organization_count: number
  }>`
    select
      (select system_identifier::text from pg_control_system()) as system_identifier,
      (select oid::text from pg_database where datname = current_database()) as database_oid,
      to_regclass('schema_migrations')::oid::text as marker_oid,
      (select count(*)::integer from (select 1 from organizations limit 2) as first) as organization_count
  `.execute(db)
  const { system_identifier, database_oid, marker_oid, organization_count } = rows[0]!
  return {
    identity: { systemIdentifier: system_identifier, databaseOid: database_oid, markerOid: marker_oid },
    hasSeveralOrganizations: organization_count > 1,
  }
}
