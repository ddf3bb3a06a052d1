import { type RawBuilder, sql } from 'kysely'
import type { ItemKey } from '../../model/page.ts'
import type { Reference } from '../../model/reference.ts'
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

export interface FoundRows {
  /** Newest first, at most `count` of them. */
  rows: { item: Reference; key: ItemKey }[]
  /** Where a search that found fewer than `count` stopped before the end of the list; the next page goes on from here. */
  lookedUpTo: ItemKey | null
}

/** So many of the newest are looked at one by one before the index over words is asked. */
const walkedRows = 300
/** A word with more matches than this is frequent: sorting all of them would cost more than walking the list. */
const matchesMax = 2000
/** So many are looked at for a frequent word, at most. */
const lookMax = 5000

/**
 * Living references as they are now, newest first.
 *
 * An index over words knows no order: it gives all that match, and nearly every SQL has `select` in it. So the list is walked first,
 * which finds a page of a common word at once. A word that is rare among the newest is left to the index. If it has many matches even
 * so, all of them old, the list is walked further, and the page may be short, or empty, and say where it stopped.
 */
export async function searchReferences(db: Db, search: ReferenceSearch): Promise<FoundRows> {
  const words = search.text === undefined ? null : await wordsOf(db, { ...search, text: search.text })
  if (words === null) return { rows: await read(db, inOrder(fitting(search), search.count)), lookedUpTo: null }
  const matches = sql`words @@ ${words}::tsquery`
  const walk = (rowCount: number) => {
    const walked = sql`select * from (${inOrder(fitting(search), rowCount)}) as search where ${matches}`
    return read(db, inOrder(walked, search.count))
  }
  const near = await walk(walkedRows)
  if (near.length === search.count) return { rows: near, lookedUpTo: null }
  if (await isFrequent(db, { ...search, matches })) {
    const rows = await walk(lookMax)
    return { rows, lookedUpTo: rows.length < search.count ? await keyAt(db, search, lookMax) : null }
  }
  // Materialized, or the planner might walk the list to its end in the hope of an early match.
  const rows = await read(
    db,
    sql`with matching as materialized (${fitting(search)} and ${matches})
      ${inOrder(sql`select * from matching as search`, search.count)}`,
  )
  return { rows, lookedUpTo: null }
}

/** Whether the organization has more matches than may be sorted; no more than that are looked at. */
async function isFrequent(db: Db, search: { organizationId: string; matches: RawBuilder<unknown> }): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (
      select from query_reference_search
      where organization_id = ${search.organizationId} and ${search.matches}
      limit ${matchesMax + 1}) as matching`.execute(db)
  return rows[0]!.count > matchesMax
}

/** The key of the last of so many rows; null when there are fewer, or none after it. */
async function keyAt(db: Db, search: ReferenceSearch, rowCount: number): Promise<ItemKey | null> {
  const { rows } = await sql<ItemKey>`
    select reference_id as id, ${exactText(sql`created_at`)} as "createdAt"
    from (${inOrder(fitting(search), rowCount + 1)}) as walked
    order by walked.created_at desc, walked.reference_id desc
    offset ${rowCount - 1}`.execute(db)
  return rows.length > 1 ? rows[0]! : null
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

export interface RankedRows {
  /** Best first, at most `count` of them. */
  items: Reference[]
  /** Whether these are all that match. If not, the list in order has more. */
  isComplete: boolean
}

/** So many matches are ranked at most, the newest of them. Each costs a look at its title. */
const rankedMax = 1000

/**
 * The references that match best, by `rank`: the lower, the better; the newer of two that are equal. It costs the same however
 * many references there are: of a frequent word only the newest matches are ranked.
 */
export async function searchBestReferences(
  db: Db,
  search: Omit<ReferenceSearch, 'after'> & { text: string },
  rank: (reference: { title: string; description: string | null }) => number,
): Promise<RankedRows> {
  const words = await wordsOf(db, search)
  if (words === null) return { items: [], isComplete: false }
  const matches = sql`words @@ ${words}::tsquery`
  const isTooFrequent = await isFrequent(db, { ...search, matches })
  const matching = isTooFrequent
    ? sql`select * from (${inOrder(fitting(search), lookMax)}) as search where ${matches}`
    : sql`select * from matching as search`
  const { rows: candidates } = await sql<{ id: string; title: string; description: string | null }>`
    ${isTooFrequent ? sql`` : sql`with matching as materialized (${fitting(search)} and ${matches})`}
    select reference.id, reference.title, left(reference.description, 1000) as description
    from (${inOrder(matching, rankedMax)}) as found
    cross join lateral (select id, title, description from query_references where id = found.reference_id limit 1) as reference
    order by found.created_at desc, found.reference_id desc`.execute(db)
  const best = candidates
    .map((candidate, at) => ({ id: candidate.id, rank: rank(candidate), at }))
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at)
    .slice(0, search.count)
  const found = await read(
    db,
    sql`select reference_id from query_reference_search where reference_id = any(${best.map(({ id }) => id)}::text[])`,
  )
  const byId = new Map(found.map(({ item }) => [item.id, item]))
  return {
    items: best.flatMap(({ id }) => byId.get(id) ?? []),
    isComplete: !isTooFrequent && candidates.length <= search.count,
  }
}
