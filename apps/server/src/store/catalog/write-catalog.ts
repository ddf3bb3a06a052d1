import { sql } from 'kysely'
import { catalogLimits, type CatalogRow } from '../../model/catalog.ts'
import { storableJson } from '../chats/storable-json.ts'
import type { Db, Tx } from '../db.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'

interface CatalogKey {
  organizationId: string
  databaseId: string
}

/**
 * The organization's databases whose catalog is missing or older than an hour, claimed for this process: another one asks again only if
 * this one has not finished after ten minutes.
 */
export async function claimStaleCatalogs(db: Db, organizationId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into catalogs (analytical_database_config_id, organization_id, claimed_at)
    select id, organization_id, ${storeNow}
    from analytical_database_configs
    where organization_id = ${organizationId} and deleted_at is null
    order by id
    on conflict (analytical_database_config_id) do update set claimed_at = ${storeNow}
      where coalesce(catalogs.refreshed_at < ${storeNowPlus(-catalogLimits.refreshAfterMs)}, true)
        and coalesce(catalogs.claimed_at < ${storeNowPlus(-catalogLimits.retryAfterMs)}, true)
    returning analytical_database_config_id as id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Records that the schema has just been read. False if the database was deleted. */
export async function recordCatalogRefresh(db: Db, { organizationId, databaseId }: CatalogKey): Promise<boolean> {
  const { rows } = await sql`
    insert into catalogs (analytical_database_config_id, organization_id, refreshed_at)
    select id, organization_id, ${storeNow}
    from analytical_database_configs
    where organization_id = ${organizationId} and id = ${databaseId} and deleted_at is null
    for share
    on conflict (analytical_database_config_id) do update set refreshed_at = excluded.refreshed_at
    returning analytical_database_config_id`.execute(db)
  return rows.length > 0
}

/** The hash of every stored table, by the JSON array of its schema and name. */
export async function readCatalogHashes(db: Db, { organizationId, databaseId }: CatalogKey): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('catalog_tables')
    .select(['schema_name', 'table_name', 'hash'])
    .where('organization_id', '=', organizationId)
    .where('analytical_database_config_id', '=', databaseId)
    .execute()
  return new Map(rows.map((row) => [JSON.stringify([row.schema_name, row.table_name]), row.hash]))
}

/** Writes tables of one database, unless it was deleted. */
export async function writeCatalogTables(db: Db | Tx, key: CatalogKey, rows: CatalogRow[]): Promise<void> {
  await sql`
    insert into catalog_tables
      (analytical_database_config_id, organization_id, schema_name, table_name, kind, row_estimate, comment, columns, column_count, hash, words)
    select catalog.analytical_database_config_id, catalog.organization_id, given.schema, given.name, given.kind, given."rowEstimate",
      given.comment, given.columns, given."columnCount", given.hash, given.words::tsvector
    from (
      select * from catalogs
      where organization_id = ${key.organizationId} and analytical_database_config_id = ${key.databaseId}
      for key share) as catalog
    cross join jsonb_to_recordset(${storableJson(rows)}::jsonb) as given
      (schema text, name text, kind text, "rowEstimate" double precision, comment text, columns jsonb, "columnCount" integer, hash text, words text)
    on conflict (analytical_database_config_id, schema_name, table_name) do update set
      kind = excluded.kind, row_estimate = excluded.row_estimate, comment = excluded.comment, columns = excluded.columns,
      column_count = excluded.column_count, hash = excluded.hash, words = excluded.words`.execute(db)
}

export async function removeCatalogTables(
  db: Db,
  { organizationId, databaseId }: CatalogKey,
  tables: { schema: string; name: string }[],
): Promise<void> {
  await sql`
    delete from catalog_tables
    using unnest(${tables.map(({ schema }) => schema)}::text[], ${tables.map(({ name }) => name)}::text[]) as gone (schema, name)
    where organization_id = ${organizationId} and analytical_database_config_id = ${databaseId}
      and schema_name = gone.schema and table_name = gone.name`.execute(db)
}

/** Part of deleting the database. */
export async function removeCatalog(tx: Tx, { organizationId, databaseId }: CatalogKey): Promise<void> {
  await tx
    .deleteFrom('catalogs')
    .where('organization_id', '=', organizationId)
    .where('analytical_database_config_id', '=', databaseId)
    .execute()
}
