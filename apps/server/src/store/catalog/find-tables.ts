import { type RawBuilder, sql } from 'kysely'
import type { CatalogColumn, CatalogTable } from '../../model/catalog.ts'
import type { Db } from '../db.ts'

/** A word with more matches is frequent: it says little about a table, and ranking all its matches would take long. */
const matchesMax = 100

interface Row {
  analytical_database_config_id: string
  schema_name: string
  table_name: string
  kind: 'table' | 'view'
  row_estimate: number | null
  comment: string | null
  columns: CatalogColumn[]
  column_count: number
}

export interface TableSearch {
  organizationId: string
  databaseIds: string[]
  /** Each as a `tsquery`. A table matches if it has at least one of them. */
  words: string[]
  count: number
}

/**
 * The tables that match the words best, best first.
 *
 * The cost does not grow with the catalog. Words that only some tables have select the candidates, at most a hundred for each word;
 * frequent words only add to their rank. If all words are frequent, the candidates are tables that have all of them, as far as a
 * hundred, and otherwise any hundred that have one.
 */
export async function findTables(db: Db, search: TableSearch): Promise<CatalogTable[]> {
  if (search.words.length === 0 || search.databaseIds.length === 0) return []
  const rare = await rareWords(db, search)
  const all = search.words.join(' | ')
  if (rare.length > 0) return rank(db, search, { candidates: rare.join(' | '), all })
  const found = await rank(db, search, { candidates: search.words.join(' & '), all })
  return found.length > 0 ? found : rank(db, search, { candidates: all, all })
}

/** The words that at least one table has and at most a hundred have. */
async function rareWords(db: Db, { organizationId, words }: TableSearch): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word
    from unnest(${words}::text[]) as word
    cross join lateral (
      select count(*) as matches
      from (
        select from catalog_tables
        where organization_id = ${organizationId} and words @@ word::tsquery
        limit ${matchesMax + 1}) as matching
    ) as counted
    where matches between 1 and ${matchesMax}`.execute(db)
  return rows.map(({ word }) => word)
}

async function rank(db: Db, search: TableSearch, words: { candidates: string; all: string }): Promise<CatalogTable[]> {
  const candidates = sql`${words.candidates}::tsquery`
  const { rows } = await sql<Row>`
    select ${fields}
    from (
      select * from catalog_tables
      where organization_id = ${search.organizationId} and words @@ ${candidates}
        and ${withoutIndex} = any(${search.databaseIds}::text[])
      limit ${matchesMax * search.words.length}) as found
    order by ${rankOf(candidates)} + ${rankOf(sql`${words.all}::tsquery`)} desc, schema_name, table_name
    limit ${search.count}`.execute(db)
  return rows.map(present)
}

/** The database as an expression, or the planner may read the whole primary key in addition to the word index. */
const withoutIndex = sql`(analytical_database_config_id || '')`

/** How well `words` match, by their weights: names count most, then descriptions, then columns. */
export const rankOf = (words: RawBuilder<unknown>) => sql`ts_rank('{0.05, 0.2, 0.5, 1}', words, ${words})`

/** The first tables in alphabetical order. */
export async function listTables(
  db: Db,
  of: { organizationId: string; databaseIds: string[]; count: number },
): Promise<CatalogTable[]> {
  const { rows } = await sql<Row>`
    select ${fields}
    from catalog_tables
    where organization_id = ${of.organizationId} and analytical_database_config_id = any(${of.databaseIds}::text[])
    order by analytical_database_config_id, schema_name, table_name
    limit ${of.count}`.execute(db)
  return rows.map(present)
}

/** One table; undefined if the catalog does not have it. */
export async function findCatalogTable(
  db: Db,
  key: { organizationId: string; databaseId: string; schema: string; table: string },
): Promise<CatalogTable | undefined> {
  const { rows } = await sql<Row>`
    select ${fields}
    from catalog_tables
    where organization_id = ${key.organizationId} and analytical_database_config_id = ${key.databaseId}
      and schema_name = ${key.schema} and table_name = ${key.table}`.execute(db)
  return rows[0] && present(rows[0])
}

/** The tables of a database with any of these names, in any schema and any case. */
export async function findCatalogTablesByName(
  db: Db,
  key: { organizationId: string; databaseId: string; names: string[] },
): Promise<CatalogTable[]> {
  const { rows } = await sql<Row>`
    select ${fields}
    from catalog_tables
    where organization_id = ${key.organizationId} and analytical_database_config_id = ${key.databaseId}
      and lower(table_name) = any(${key.names.map((name) => name.toLowerCase())}::text[])`.execute(db)
  return rows.map(present)
}

const fields = sql`analytical_database_config_id, schema_name, table_name, kind, row_estimate, comment, columns, column_count`

const present = (row: Row): CatalogTable => ({
  databaseId: row.analytical_database_config_id,
  schema: row.schema_name,
  name: row.table_name,
  kind: row.kind,
  rowEstimate: row.row_estimate,
  comment: row.comment,
  columns: row.columns,
  columnCount: row.column_count,
})
