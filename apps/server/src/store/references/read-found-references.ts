import { type RawBuilder, sql } from 'kysely'
import type { ItemKey } from '../../model/page.ts'
import type { Reference } from '../../model/reference.ts'
import type { Db } from '../db.ts'
import { isVerified } from '../knowledge/verified-queries.ts'
import { tagKey } from '../items/tags-table.ts'
import { exactText } from '../snapshot.ts'
import { type ListedReference, presentListed } from './listed-reference.ts'

export interface ReferenceSearch {
  organizationId: string
  /** Every word must be a prefix of a word in the title, the description or the SQL. */
  text?: string | undefined
  databaseId?: string | undefined
  createdBy?: string | undefined
  /** Null for those in no folder. */
  folderId?: string | null | undefined
  tag?: string | undefined
  favoriteOf?: string | undefined
  after?: ItemKey | undefined
  count: number
}

export interface FoundRows {
  /** Newest first, at most `count` of them. */
  rows: { item: Reference; key: ItemKey }[]
  /** Where a search that found fewer than `count` stopped before the end of the list. The next page continues from here. */
  lookedUpTo: ItemKey | null
}

/** How many of the newest rows are scanned before the word index is used. */
const scannedRows = 300
/** How many of the newest rows are scanned for a tag before all its references are read. */
const scannedForTag = 2000
/** A word with more matches is frequent: sorting them all would cost more than scanning the list. */
const matchesMax = 2000
/** The maximum number of rows scanned for a frequent word. */
const scanMax = 5000
/** With this share among the newest rows, `scanMax` rows have so many matches that the index need not be asked. */
const frequentShare = matchesMax / scanMax

/**
 * Current references (not deleted), newest first.
 *
 * A word index has no order: it returns all matches, and nearly every SQL contains `select`. So the newest rows are scanned first,
 * which fills a page for a common word at once. A word that is rare among the newest rows goes to the index. If it still has many
 * matches, all of them old, the scan continues, and the page may be short or even empty and says where it stopped.
 *
 * A tag has no order either. It may be on every tenth query, so the newest rows are scanned for it, too.
 */
export async function searchReferences(db: Db, search: ReferenceSearch): Promise<FoundRows> {
  const words = search.text === undefined ? [] : await wordsOf(db, { ...search, text: search.text })
  if (words.length === 0) return { rows: await readInOrder(db, search), lookedUpTo: null }
  const scan = (rowCount: number) => {
    const scanned = sql`select * from (${inOrder(candidates(search), rowCount)}) as search where ${matchesAll(words)}`
    return read(db, inOrder(scanned, search.count))
  }
  const newest = await scan(scannedRows)
  if (newest.length === search.count) return { rows: newest, lookedUpTo: null }
  const { isFrequent, rarest } = await judgeWords(db, search.organizationId, words)
  if (isFrequent) {
    const rows = await scan(scanMax)
    return { rows, lookedUpTo: rows.length < search.count ? await keyAt(db, search, scanMax) : null }
  }
  // Materialized, or the planner might scan the whole list in the hope of an early match.
  const rows = await read(
    db,
    sql`with matching as materialized (${matching(candidates(search), words, rarest)})
      ${inOrder(sql`select * from matching as search`, search.count)}`,
  )
  return { rows, lookedUpTo: null }
}

async function readInOrder(db: Db, search: ReferenceSearch): Promise<FoundRows['rows']> {
  const { tag, ...others } = search
  if (isFolderAlone(search)) return read(db, inOrder(inFolder(search), search.count))
  if (tag !== undefined) {
    const scanned = inOrder(candidates(others), scannedForTag)
    // The limit keeps the planner from reading all rows with the tag first.
    const isTagged = sql`(select true from item_tags where kind = 'reference' and item_id = search.reference_id and key = ${tagKey(tag)} limit 1)`
    const newest = await read(db, inOrder(sql`select * from (${scanned}) as search where ${isTagged}`, search.count))
    if (newest.length === search.count) return newest
  }
  return read(db, inOrder(candidates(search), search.count))
}

const isFolderAlone = ({ folderId, databaseId, createdBy, tag, favoriteOf }: ReferenceSearch) =>
  typeof folderId === 'string' && [databaseId, createdBy, tag, favoriteOf].every((filter) => filter === undefined)

/** Without other filters, nothing has to be looked up in the search index. */
const inFolder = ({ organizationId, folderId, after }: ReferenceSearch) => sql`
  select reference_id, created_at
  from (
    select id as reference_id, created_at from query_references
    where organization_id = ${organizationId} and folder_id = ${folderId} and deleted_at is null) as search
  where ${after ? isAfter(after) : sql`true`}`

const isAfter = (after: ItemKey) => sql`(created_at, reference_id) < (${after.createdAt}::timestamptz, ${after.id})`

const matchesAll = (words: readonly string[]) => sql`words @@ ${words.join(' & ')}::tsquery`

/**
 * The rows that match all words. The index finds those with the rarest one, and the others are checked in these rows: for a frequent word,
 * the index reads all its matches first. `offset 0` keeps the planner from asking it for both.
 */
function matching(rows: RawBuilder<unknown>, words: readonly string[], rarest: string): RawBuilder<unknown> {
  if (words.length === 1) return sql`${rows} and ${matchesAll(words)}`
  return sql`select * from (${rows} and ${matchesAll([rarest])} offset 0) as search where ${matchesAll(words)}`
}

/**
 * Whether the organization has more matches than may be sorted, and which word is the rarest among its newest references. Counts no
 * further than that, and not at all if the newest references are full of matches.
 */
async function judgeWords(db: Db, organizationId: string, words: readonly string[]): Promise<{ isFrequent: boolean; rarest: string }> {
  const counts = sql.join(words.map((word) => sql`count(*) filter (where ${matchesAll([word])})::integer`))
  const { rows: sampled } = await sql<{ counts: number[]; share: number }>`
    select array[${counts}] as counts, coalesce(avg((${matchesAll(words)})::integer), 0)::float8 as share
    from (${inOrder(candidates({ organizationId, count: 0 }), scannedRows)}) as newest`.execute(db)
  const sample = sampled[0]!
  const rarest = words[sample.counts.indexOf(Math.min(...sample.counts))]!
  if (sample.share >= frequentShare && (await hasMoreThan(db, organizationId, scanMax))) return { isFrequent: true, rarest }
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (select from (${matching(candidates({ organizationId, count: 0 }), words, rarest)}) as matching limit ${matchesMax + 1}) as counted`.execute(db)
  return { isFrequent: rows[0]!.count > matchesMax, rarest }
}

/** Reads only the index. */
async function hasMoreThan(db: Db, organizationId: string, rowCount: number): Promise<boolean> {
  const { rows } = await sql`
    select from query_reference_search where organization_id = ${organizationId}
    order by created_at desc, reference_id desc offset ${rowCount} limit 1`.execute(db)
  return rows.length > 0
}

/** The key of the row at this position; null if no row comes after it. */
async function keyAt(db: Db, search: ReferenceSearch, rowCount: number): Promise<ItemKey | null> {
  const { rows } = await sql<ItemKey>`
    select reference_id as id, ${exactText(sql`created_at`)} as "createdAt"
    from (${inOrder(candidates(search), rowCount + 1)}) as walked
    order by walked.created_at desc, walked.reference_id desc
    offset ${rowCount - 1}`.execute(db)
  return rows.length > 1 ? rows[0]! : null
}

/** The words of the text, each as a PostgreSQL tsquery. */
async function wordsOf(db: Db, key: { organizationId: string; text: string }): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select quote_literal(lexeme) || ':*' as word from unnest(search_lexemes(${key.organizationId}, ${key.text})) as lexeme`.execute(db)
  return rows.map(({ word }) => word)
}

const candidates = ({ organizationId, databaseId, createdBy, after, ...marks }: ReferenceSearch) => sql`
  select reference_id, created_at, words
  from query_reference_search as search
  where organization_id = ${organizationId}
    ${databaseId === undefined ? sql`` : sql`and analytical_database_config_id = ${databaseId}`}
    ${createdBy === undefined ? sql`` : sql`and created_by = ${createdBy}`}
    ${ofFolder(marks.folderId)}
    ${marks.tag === undefined ? sql`` : sql`and search.reference_id = any(array(${taggedWith(organizationId, marks.tag)}))`}
    ${marks.favoriteOf === undefined ? sql`` : sql`and search.reference_id = any(array(${favoritesOf(organizationId, marks.favoriteOf)}))`}
    ${after ? sql`and ${isAfter(after)}` : sql``}`

/** References in a folder, with a tag and among favorites are few, so their ids are read first. */
const ofFolder = (folderId: string | null | undefined) => {
  if (folderId === undefined) return sql``
  if (folderId === null) return sql`and exists (select from query_references where id = search.reference_id and folder_id is null)`
  return sql`and search.reference_id = any(array(select id from query_references where folder_id = ${folderId} and deleted_at is null))`
}

const taggedWith = (organizationId: string, tag: string) =>
  sql`select item_id from item_tags where organization_id = ${organizationId} and key = ${tagKey(tag)} and kind = 'reference'`

const favoritesOf = (organizationId: string, userId: string) =>
  sql`select item_id from favorites where user_id = ${userId} and organization_id = ${organizationId} and kind = 'reference'`

const inOrder = (rows: RawBuilder<unknown>, count: number) =>
  sql`${rows} order by search.created_at desc, search.reference_id desc limit ${count}`

/** Looks up each row separately, because with a join the planner may choose to read whole tables. */
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
  /** Those of them that are verified queries. */
  verifiedIds: ReadonlySet<string>
  /** Whether these are all that match. If not, the list in order has more. */
  isComplete: boolean
}

/** The maximum number of matches ranked, newest first. Each costs a lookup of its title. */
const rankedMax = 1000

/**
 * The best matches: lowest `rank` first; if equal, verified ones first, then newer ones. The cost does not grow with the number of references, because only
 * the newest matches of a frequent word are ranked.
 */
export async function searchBestReferences(
  db: Db,
  search: Omit<ReferenceSearch, 'after'> & { text: string },
  rank: (reference: { title: string; description: string | null }) => number,
): Promise<RankedRows> {
  const words = await wordsOf(db, search)
  if (words.length === 0) return { items: [], verifiedIds: new Set(), isComplete: false }
  const { isFrequent, rarest } = await judgeWords(db, search.organizationId, words)
  const matchingRows = isFrequent
    ? sql`select * from (${inOrder(candidates(search), scanMax)}) as search where ${matchesAll(words)}`
    : sql`select * from matching as search`
  const { rows: matched } = await sql<{ id: string; title: string; description: string | null; isVerified: boolean }>`
    ${isFrequent ? sql`` : sql`with matching as materialized (${matching(candidates(search), words, rarest)})`}
    select reference.id, reference.title, left(reference.description, 1000) as description, ${isVerified} as "isVerified"
    from (${inOrder(matchingRows, rankedMax)}) as found
    cross join lateral (select id, title, description, query_id, organization_id from query_references where id = found.reference_id limit 1) as reference
    order by found.created_at desc, found.reference_id desc`.execute(db)
  const best = matched
    .map((reference, at) => ({ id: reference.id, rank: rank(reference), isVerified: reference.isVerified, at }))
    .toSorted((a, b) => a.rank - b.rank || Number(b.isVerified) - Number(a.isVerified) || a.at - b.at)
    .slice(0, search.count)
  const found = await read(
    db,
    sql`select reference_id from query_reference_search where reference_id = any(${best.map(({ id }) => id)}::text[])`,
  )
  const byId = new Map(found.map(({ item }) => [item.id, item]))
  return {
    items: best.flatMap(({ id }) => byId.get(id) ?? []),
    verifiedIds: new Set(best.flatMap((each) => (each.isVerified ? each.id : []))),
    isComplete: !isFrequent && matched.length <= search.count,
  }
}
