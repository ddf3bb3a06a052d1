import type { Caller } from '../../model/caller.ts'
import type { CatalogTable } from '../../model/catalog.ts'
import { type FoundItem, type FoundKind, foundKinds } from '../../model/search.ts'
import { findTables } from '../../store/catalog/find-tables.ts'
import { listDatabases } from '../../store/databases/databases-table.ts'
import type { Db } from '../../store/db.ts'
import { searchBestReferences } from '../../store/references/read-found-references.ts'
import { readAutomationTitles, readBoardTitles, readChatTitles, type TitledRow } from '../../store/search/read-newest-titles.ts'
import { askedWords, prefixQueries } from '../catalog/search-words.ts'
import { makeMatch, makeRank } from '../references/rank-reference.ts'

type Ranked = FoundItem & { rank: number }

/** Enough for one kind, so that a frequent word in SQL does not crowd out the rest. */
const perKindMax = 8
/** A wide table may have many columns that match. */
const columnsPerTable = 3

/**
 * Everything of the organization that matches a text, best first: 0 if the title is the text, 1 if it starts with it, 2 if every word
 * starts a word of the title, 3 if the description was needed, 4 if the SQL was. Equally good ones are in the order of `foundKinds`,
 * and within a kind newer ones come first. The cost does not grow with what there is: see the statements.
 */
export async function searchEverything(
  deps: { db: Db },
  caller: Caller,
  request: { text: string; limit: number },
): Promise<FoundItem[]> {
  const text = request.text.trim()
  if (text === '') return []
  const { db } = deps
  const { organizationId } = caller
  const [queries, boards, automations, chats, tables] = await Promise.all([
    findQueries(db, organizationId, text),
    readBoardTitles(db, organizationId),
    readAutomationTitles(db, organizationId),
    readChatTitles(db, organizationId),
    findTablesFor(db, organizationId, text),
  ])
  const found: Record<FoundKind, Ranked[]> = {
    board: matchesIn(boards, 'board', text),
    query: queries,
    automation: matchesIn(automations, 'automation', text),
    chat: matchesIn(chats, 'chat', text),
    table: tablesIn(tables, text),
    column: columnsIn(tables, text),
  }
  return foundKinds
    .flatMap((kind) => found[kind].toSorted((one, other) => one.rank - other.rank).slice(0, perKindMax))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, request.limit)
    .map(({ rank: _, ...item }) => item)
}

async function findQueries(db: Db, organizationId: string, text: string): Promise<Ranked[]> {
  const rank = makeRank(text)
  const { items, verifiedIds } = await searchBestReferences(db, { organizationId, text, count: perKindMax }, rank)
  return items.map(({ id, shortId, title, description }) => ({
    kind: 'query',
    id: shortId,
    title,
    description,
    table: null,
    isVerified: verifiedIds.has(id),
    rank: rank({ title, description }),
  }))
}

async function findTablesFor(db: Db, organizationId: string, text: string): Promise<CatalogTable[]> {
  const words = prefixQueries(organizationId, askedWords(text))
  if (words.length === 0) return []
  const databaseIds = (await listDatabases(db, organizationId)).map(({ id }) => id)
  return findTables(db, { organizationId, databaseIds, words, count: 2 * perKindMax })
}

const itemOf = (kind: FoundKind, { id, title, description }: TitledRow): FoundItem => ({
  kind,
  id,
  title,
  description,
  table: null,
  isVerified: false,
})

function matchesIn(rows: TitledRow[], kind: FoundKind, text: string): Ranked[] {
  const match = makeMatch(text)
  return rows.flatMap((row) => {
    const rank = match(row)
    return rank === undefined ? [] : { ...itemOf(kind, row), rank }
  })
}

const tableName = ({ schema, name }: CatalogTable) => `${schema}.${name}`

function tablesIn(tables: CatalogTable[], text: string): Ranked[] {
  const match = makeMatch(text)
  return tables.flatMap((table) => {
    const row = { id: table.databaseId, title: table.name, description: table.comment }
    const rank = match(row)
    return rank === undefined ? [] : { ...itemOf('table', row), table: tableName(table), rank }
  })
}

function columnsIn(tables: CatalogTable[], text: string): Ranked[] {
  const match = makeMatch(text)
  return tables.flatMap((table) =>
    table.columns
      .flatMap(({ name, comment }) => {
        const row = { id: table.databaseId, title: `${table.name}.${name}`, description: comment }
        const rank = match({ title: name, description: comment })
        return rank === undefined ? [] : { ...itemOf('column', row), table: tableName(table), rank }
      })
      .toSorted((one, other) => one.rank - other.rank)
      .slice(0, columnsPerTable),
  )
}
