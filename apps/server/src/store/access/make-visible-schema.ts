import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { withoutDeadline } from '../prepared.ts'
import type { Schema } from '../schema.ts'
import { visibleSchema } from '../set-viewer.ts'
import { rowBindings, type Visibility, visibleTables } from './visible-tables.ts'

/**
 * Creates the views of visible-tables.ts, in a schema that a viewer's statements search first. They are created again after each
 * migration, because a view doesn't get the columns that are added to its table later.
 */
export async function makeVisibleSchema(connection: Kysely<Schema>, options: { migrations: readonly string[] }): Promise<void> {
  const definitions = viewDefinitions()
  const hash = createHash('sha256').update(JSON.stringify([definitions, options.migrations])).digest('hex')
  const { rows } = await sql<{ hash: string | null; base: string }>`
    select obj_description(to_regnamespace(${visibleSchema}), 'pg_namespace') as hash, quote_ident(current_schema()) as base`.execute(connection)
  const before = rows[0]!
  if (before.hash === hash) return
  await connection.transaction().execute(async (tx) => {
    const run = (statement: string) => sql`${withoutDeadline} ${sql.raw(statement)}`.execute(tx)
    await run(`drop schema if exists ${visibleSchema} cascade`)
    await run(`create schema ${visibleSchema}`)
    for (const statement of definitions) await run(statement)
    await run(`create view ${visibleSchema}.all_folders as select id, organization_id, parent_id from folders`)
    await run(`create view ${visibleSchema}.all_runs as select id, query_id, number, status, rendered_sql, row_bindings from runs`)
    await run(keepTriggersUnaffected)
    await run(`create view ${visibleSchema}.ready as select ${sqlText(before.base)} as base_schema`)
    await run(`comment on schema ${visibleSchema} is '${hash}'`)
  })
}

/** False if the service lacked the privilege to create it. */
export async function hasVisibleSchema(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regnamespace(${visibleSchema}) is not null as exists`.execute(db)
  return rows[0]!.exists
}

const sqlText = (text: string) => `'${text.replaceAll("'", "''")}'::text`

/** Before a migration that removes something which the views may use. Until they are created again, viewers' requests fail. */
export async function dropVisibleSchema(connection: Kysely<Schema>): Promise<void> {
  await sql`${withoutDeadline} drop schema if exists ${sql.id(visibleSchema)} cascade`.execute(connection)
}

const inSchema = (text: string) => text.replaceAll('visible.', `${visibleSchema}.`)

/** In an order in which each view finds those that it reads. */
function viewDefinitions(): string[] {
  const created = new Set<string>()
  const statements: string[] = []
  function create(table: string): void {
    if (created.has(table)) return
    created.add(table)
    if (table === 'reads_hidden') {
      create('query_references')
      statements.push(inSchema(readsHidden))
      return
    }
    const visibility: Visibility = visibleTables[table as keyof typeof visibleTables]
    if (!('where' in visibility)) return
    for (const [, used] of visibility.where.matchAll(/\bvisible\.(\w+)/g)) create(used!)
    statements.push(inSchema(`create view visible.${table} as select * from ${table} where ${visibility.where}`))
  }
  for (const table of Object.keys(visibleTables)) create(table)
  return statements
}

/**
 * Whether a run read the result of a hidden query, directly or through other queries, or of a query in a database that has row rules by now.
 * Since it has them, such queries can't be read.
 */
const readsHidden = `create function visible.reads_hidden(of_run text) returns boolean language sql stable
begin atomic
  with recursive input as (
    select run_inputs.input_run_id, run_inputs.reference_id from run_inputs where run_inputs.run_id = of_run
    union select further.input_run_id, further.reference_id from run_inputs as further join input on further.run_id = input.input_run_id)
  select exists (
    select from input where not exists (select from visible.query_references as seen where seen.id = input.reference_id)
      or exists (
        select from query_references as reference join queries as bound on bound.id = reference.stored_query_id
        where reference.id = input.reference_id and ${rowBindings} ? bound.analytical_database_config_id)
      or exists (
        select from runs as read join queries as bound on bound.id = read.query_id
        where read.id = input.input_run_id and ${rowBindings} ? bound.analytical_database_config_id));
end`

/** Triggers keep the store consistent, so they see all rows, even if a viewer caused them. */
const keepTriggersUnaffected = `do $do$
declare
  each regprocedure;
begin
  for each in select oid from pg_proc where pronamespace = current_schema()::regnamespace and prorettype = 'trigger'::regtype loop
    execute format('alter function %s set search_path = %I', each, current_schema());
  end loop;
end $do$`
