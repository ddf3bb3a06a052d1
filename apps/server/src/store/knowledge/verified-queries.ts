import { type RawBuilder, sql } from 'kysely'
import type { Verification } from '../../model/knowledge.ts'
import type { Db } from '../db.ts'

/**
 * Whether `reference`, a row of `query_references`, is verified and its SQL has not changed since. A scalar subquery, because for `exists`
 * the planner may choose to read the marks of all organizations.
 */
export const isVerified = sql<boolean>`coalesce(
  (select content ->> 'queryId' from knowledge_items
   where organization_id = reference.organization_id and kind = 'verified_query' and subject = reference.id)
  = reference.query_id::text, false)`

/** The marks of these references, by id. One index lookup each. */
export async function readVerifications(
  db: Db,
  of: { organizationId: string; references: { id: string; queryId: string }[] },
): Promise<Map<string, Verification>> {
  const { rows } = await sql<VerificationRow & { id: string }>`
    select asked.id, ${verificationFields(sql`asked.query_id`)}
    from unnest(
      ${of.references.map(({ id }) => id)}::text[],
      ${of.references.map(({ queryId }) => queryId)}::text[]) as asked (id, query_id)
    join knowledge_items as item
      on item.organization_id = ${of.organizationId} and item.kind = 'verified_query' and item.subject = asked.id
    where item.content is not null`.execute(db)
  return new Map(rows.map((row) => [row.id, present(row)]))
}

export interface VerifiedReference {
  itemId: string
  shortId: string
  title: string
  description: string | null
  sql: string
  databaseId: string
  verification: Verification
}

/**
 * The references that have the mark and are not deleted, or those of them that match the words (as a `tsquery`). An organization has
 * at most 500 of them, and each is a few index lookups.
 */
export async function listVerifiedQueries(
  db: Db,
  of: { organizationId: string; words?: string },
): Promise<VerifiedReference[]> {
  const { words } = of
  const { rows } = await sql<
    VerificationRow & Pick<VerifiedReference, 'itemId' | 'shortId' | 'title' | 'description' | 'sql' | 'databaseId'>
  >`
    select item.id as "itemId", reference.short_id as "shortId", reference.title, reference.description,
      query.sql, query.analytical_database_config_id as "databaseId", ${verificationFields(sql`reference.query_id`)}
    from knowledge_items as item
    cross join lateral (
      select * from query_references where id = item.subject and deleted_at is null and not is_optimistic limit 1
    ) as reference
    cross join lateral (select * from queries where id = reference.query_id limit 1) as query
    where item.organization_id = ${of.organizationId} and item.kind = 'verified_query' and item.content is not null
      ${words === undefined ? sql`` : sql`and (select words from query_reference_search where reference_id = item.subject) @@ ${words}::tsquery`}
    order by reference.title, reference.id`.execute(db)
  return rows.map((row) => ({
    itemId: row.itemId,
    shortId: row.shortId,
    title: row.title,
    description: row.description,
    sql: row.sql,
    databaseId: row.databaseId,
    verification: present(row),
  }))
}

interface VerificationRow {
  verified_by: string
  verified_by_name: string
  verified_at: Date
  is_outdated: boolean
}

const verificationFields = (queryId: RawBuilder<unknown>) => sql`
  item.changed_by as verified_by, item.changed_at as verified_at,
  (select name from users where users.id = item.changed_by) as verified_by_name,
  item.content ->> 'queryId' <> ${queryId}::text as is_outdated`

const present = (row: VerificationRow): Verification => ({
  verifiedBy: { id: row.verified_by, name: row.verified_by_name },
  verifiedAt: row.verified_at,
  isOutdated: row.is_outdated,
})
