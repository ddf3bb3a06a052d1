import { sql } from 'kysely'
import type { Dialect } from '../../model/database.ts'
import type { ItemUsers, LinkedReference } from '../../model/lineage.ts'
import type { Db } from '../db.ts'

/** A reference with the SQL that may read something. */
export interface Candidate extends LinkedReference {
  sql: string
  dialect: Dialect
}

/** Enough for every organization that people keep in order by themselves. */
const candidatesMax = 2_000

/**
 * References whose current SQL contains a text, in any case. Whether the SQL reads it is for the lineage to say. Only those on one
 * database; without it, those on the one for saved queries.
 */
export async function findCandidates(
  db: Db,
  key: { organizationId: string; text: string; databaseId: string | undefined },
): Promise<Candidate[]> {
  const isOnDatabase =
    key.databaseId === undefined
      ? sql`(config.settings ->> 'readsSavedQueries')::boolean`
      : sql`config.id = ${key.databaseId}`
  const { rows } = await sql<Candidate>`
    select reference.short_id as "shortId", reference.title, queries.sql, config.engine as dialect
    from query_references as reference
    join queries on queries.id = reference.stored_query_id
    join analytical_database_configs as config on config.id = queries.analytical_database_config_id
    where reference.organization_id = ${key.organizationId} and reference.deleted_at is null and ${isOnDatabase}
      and strpos(lower(queries.sql), ${key.text.toLowerCase()}) > 0
    order by reference.title, reference.id
    limit ${candidatesMax}`.execute(db)
  return rows
}

/** The boards that show any of these references, and the automations that look at them. */
export async function readItemUsers(db: Db, key: { organizationId: string; shortIds: string[] }): Promise<ItemUsers> {
  if (key.shortIds.length === 0) return { boards: [], automations: [] }
  const [boards, automations] = await Promise.all([
    sql<ItemUsers['boards'][number]>`
      select short_id as "shortId", title from boards
      where organization_id = ${key.organizationId} and deleted_at is null and exists (
        select from jsonb_array_elements(content -> 'tiles') as tile where tile ->> 'referenceShortId' = any(${key.shortIds}::text[]))
      order by title, id`.execute(db),
    sql<ItemUsers['automations'][number]>`
      with wanted as (
        select id from query_references where organization_id = ${key.organizationId} and short_id = any(${key.shortIds}::text[]))
      select id, name from automations
      where organization_id = ${key.organizationId} and deleted_at is null and (
        watched_reference_id in (select id from wanted)
        or exists (select from automation_references where automation_id = automations.id and reference_id in (select id from wanted)))
      order by name, id`.execute(db),
  ])
  return { boards: boards.rows, automations: automations.rows }
}
