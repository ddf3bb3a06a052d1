import { type RawBuilder, sql } from 'kysely'
import type { ItemKey } from '../../domain/pagination/cursor.ts'
import type { Reference } from '../../domain/references/reference.ts'
import type { Db } from '../db.ts'
import { exactText } from '../snapshot.ts'
import { type ListedReference, presentListed } from './listed-reference.ts'

export interface ReferenceSearch {
  organizationId: string
  /** Every word of it must begin a word of the title, the description or the SQL. */
  text?: string | undefined
  databaseId?: string | undefined
  createdBy?: string | undefined
  after?: ItemKey | undefined
  count: number
}

/** So many of the newest are looked at one by one before the index over words is asked. */
const walkedRows = 300

/**
 * Living references as they are now, newest first.
 *
 * An index over words knows no order: it gives all that match, and nearly every SQL has `select` in it. So the list is walked first,
 * which finds a page of a common word at once; only a word that is rare among the newest is left to the index, and of that one
 * there are few. Either way a page costs what some hundred rows cost.
 */
export async function searchReferences(
  db: Db,
  search: ReferenceSearch,
): Promise<{ item: Reference; key: ItemKey }[]> {
  const words = search.text === undefined ? null : await wordsOf(db, { ...search, text: search.text })
  if (words === null) return read(db, inOrder(fitting(search), search.count))
  const matches = sql`words @@ ${words}::tsquery`
  const walked = sql`select * from (${inOrder(fitting(search), walkedRows)}) as search where ${matches}`
  const near = await read(db, inOrder(walked, search.count))
  if (near.length === search.count) return near
  // Materialized, or the planner might walk the list to its end in the hope of an early match.
  return read(
    db,
    sql`with matching as materialized (${fitting(search)} and ${matches})
      ${inOrder(sql`select * from matching as search`, search.count)}`,
  )
}

/** As PostgreSQL asks for them, or null when there is no word in the text. */
async function wordsOf(db: Db, key: { organizationId: string; text: string }): Promise<string | null> {
  const { rows } = await sql<{ words: string | null }>`
    select string_agg(quote_literal(lexeme) || ':*', ' & ') as words
    from unnest(search_lexemes(${key.organizationId}, ${key.text})) as lexeme`.execute(db)
  return rows[0]!.words
}

const fitting = ({ organizationId, databaseId, createdBy, after }: ReferenceSearch) => sql`
  select reference_id, created_at, words
  from query_reference_search as search
  where organization_id = ${organizationId}
    ${databaseId === undefined ? sql`` : sql`and analytical_database_config_id = ${databaseId}`}
    ${createdBy === undefined ? sql`` : sql`and created_by = ${createdBy}`}
    ${after ? sql`and (created_at, reference_id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``}`

const inOrder = (rows: RawBuilder<unknown>, count: number) =>
  sql`${rows} order by search.created_at desc, search.reference_id desc limit ${count}`

/** Each is looked up by itself: a join lets the planner choose to read whole tables. */
async function read(db: Db, found: RawBuilder<unknown>): Promise<{ item: Reference; key: ItemKey }[]> {
  const { rows } = await sql<ListedReference>`
    select reference.id, reference.short_id, reference.title, reference.description, reference.is_optimistic,
      reference.query_id, reference.created_by, reference.created_at, reference.updated_at,
      ${exactText(sql`reference.created_at`)} as created_at_text,
      (select sql from queries where queries.id = reference.query_id) as query_sql
    from (${found}) as found
    cross join lateral (
      select * from query_references where id = found.reference_id and deleted_at is null limit 1
    ) as reference
    order by reference.created_at desc, reference.id desc`.execute(db)
  return rows.map(presentListed)
}
