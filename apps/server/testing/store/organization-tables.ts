import { sql } from 'kysely'
import type { Db } from '../../src/store/db.ts'

/** Tables without an organization of their own: the column that leads to the row they belong to, and that row's table. */
export const belongsTo: Record<string, [column: string, table: string]> = {
  archive_pieces: ['object_id', 'archive_objects'],
  automation_history: ['automation_id', 'automations'],
  automation_observations: ['automation_id', 'automations'],
  automation_references: ['automation_id', 'automations'],
  board_versions: ['board_id', 'boards'],
  chat_history: ['chat_id', 'chats'],
  chat_messages: ['chat_id', 'chats'],
  comment_mentions: ['comment_id', 'comments'],
  evaluation_answers: ['evaluation_id', 'evaluations'],
  folder_versions: ['folder_id', 'folders'],
  idempotent_answers: ['api_key_id', 'api_keys'],
  query_reference_history: ['reference_id', 'query_references'],
  query_reference_versions: ['reference_id', 'query_references'],
  reference_history_settings: ['reference_id', 'query_references'],
  report_downloads: ['content_id', 'report_contents'],
  report_files: ['content_id', 'report_contents'],
  report_unsubscriptions: ['report_id', 'reports'],
  result_pieces: ['run_id', 'results'],
  result_pins: ['reference_id', 'query_references'],
  results: ['run_id', 'runs'],
  webhook_deliveries: ['endpoint_id', 'webhook_endpoints'],
}

async function tablesOfOrganizations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where attname = 'organization_id' and relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(db)
  return rows.map(({ name }) => name)
}

/** All rows of an organization, each as JSON text, in tables that have its id. */
export async function rowsOfOrganization(db: Db, organizationId: string): Promise<string[]> {
  const tables = await tablesOfOrganizations(db)
  const selects = tables.map((table) => sql`select to_jsonb(each)::text as text from ${sql.table(table)} as each where organization_id = ${organizationId}`)
  const { rows } = await sql<{ text: string }>`${sql.join(selects, sql` union all `)}`.execute(db)
  return rows.map(({ text }) => text)
}

/** Deletes all rows of an organization, as if it were on another store. People stay. */
export async function removeOrganization(db: Db, organizationId: string): Promise<void> {
  const tables = await tablesOfOrganizations(db)
  await db.transaction().execute(async (tx) => {
    await sql`select set_config('session_replication_role', 'replica', true)`.execute(tx)
    for (const table of tables) await sql`delete from ${sql.table(table)} where organization_id = ${organizationId}`.execute(tx)
    await sql`delete from organizations where id = ${organizationId}`.execute(tx)
    // Twice: some belong to tables of this list.
    for (const [table, [column, parent]] of [...Object.entries(belongsTo), ...Object.entries(belongsTo)]) {
      const key = parent === 'results' ? 'run_id' : 'id'
      await sql`delete from ${sql.table(table)} as each where not exists (
        select from ${sql.table(parent)} as parent where parent.${sql.ref(key)} = each.${sql.ref(column)})`.execute(tx)
    }
  })
}
