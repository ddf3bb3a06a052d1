import { sql } from 'kysely'
import type { DbtImport, DbtTable } from '../../model/dbt.ts'
import type { Db, Tx } from '../db.ts'

/** Replaces everything that the earlier import of the same project has written. */
export async function replaceDbtProject(
  tx: Tx,
  { organizationId, tables, ...imported }: DbtImport & { organizationId: string; tables: DbtTable[] },
): Promise<void> {
  const key = { organization_id: organizationId, analytical_database_config_id: imported.databaseId, project: imported.project }
  const content = {
    manifest_version: imported.manifestVersion,
    generated_at: imported.generatedAt,
    table_count: imported.tableCount,
    found_table_count: imported.foundTableCount,
    described_column_count: imported.describedColumnCount,
    metrics: JSON.stringify(imported.metrics),
    imported_by: imported.importedBy,
    imported_at: imported.importedAt,
  }
  const place = ['organization_id', 'analytical_database_config_id', 'project'] as const
  await tx
    .insertInto('dbt_imports')
    .values({ ...key, ...content })
    .onConflict((conflict) => conflict.columns(place).doUpdateSet(content))
    .execute()
  await tx
    .deleteFrom('dbt_tables')
    .where('organization_id', '=', organizationId)
    .where('analytical_database_config_id', '=', imported.databaseId)
    .where('project', '=', imported.project)
    .execute()
  const rows = tables.map(({ schema, table, ...rest }) => ({ schema, table, content: rest }))
  await sql`
    insert into dbt_tables (organization_id, analytical_database_config_id, project, schema_name, table_name, content)
    select ${organizationId}, ${imported.databaseId}, ${imported.project}, given.schema, given."table", given.content
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (schema text, "table" text, content jsonb)
    on conflict (organization_id, analytical_database_config_id, schema_name, table_name)
      do update set project = excluded.project, content = excluded.content`.execute(tx)
}

/** With what it says about tables. False if there is no such import. */
export async function deleteDbtProject(tx: Tx, key: { organizationId: string; databaseId: string; project: string }): Promise<void> {
  await tx
    .deleteFrom('dbt_imports')
    .where('organization_id', '=', key.organizationId)
    .where('analytical_database_config_id', '=', key.databaseId)
    .where('project', '=', key.project)
    .execute()
}

/** Those of one database, or only the named tables. */
export async function listDbtTables(
  db: Db | Tx,
  of: { organizationId: string; databaseIds: string[]; tableNames?: string[] },
): Promise<(DbtTable & { databaseId: string })[]> {
  const { tableNames } = of
  const rows = await db
    .selectFrom('dbt_tables')
    .select(['analytical_database_config_id', 'schema_name', 'table_name', 'content'])
    .where('organization_id', '=', of.organizationId)
    .where('analytical_database_config_id', '=', sql<string>`any(${of.databaseIds}::text[])`)
    .$if(tableNames !== undefined, (some) => some.where('table_name', '=', sql<string>`any(${tableNames}::text[])`))
    .execute()
  return rows.map(({ analytical_database_config_id: databaseId, schema_name: schema, table_name: table, content }) =>
    Object.assign(content as Omit<DbtTable, 'schema' | 'table'>, { databaseId, schema, table }),
  )
}

/** The newest import of each project, newest first. */
export async function listDbtImports(db: Db, organizationId: string): Promise<DbtImport[]> {
  const rows = await db
    .selectFrom('dbt_imports')
    .innerJoin('analytical_database_configs as database', 'database.id', 'dbt_imports.analytical_database_config_id')
    .selectAll('dbt_imports')
    .where('dbt_imports.organization_id', '=', organizationId)
    .where('database.deleted_at', 'is', null)
    .orderBy('imported_at', 'desc')
    .orderBy('project')
    .execute()
  return rows.map((row) => ({
    databaseId: row.analytical_database_config_id,
    project: row.project,
    manifestVersion: row.manifest_version,
    generatedAt: row.generated_at,
    tableCount: row.table_count,
    foundTableCount: row.found_table_count,
    describedColumnCount: row.described_column_count,
    metrics: row.metrics as DbtImport['metrics'],
    importedBy: row.imported_by,
    importedAt: row.imported_at,
  }))
}
