import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { readListDetails } from '../../store/references/read-list-details.ts'
import { readReferencesPage } from '../../store/references/read-references-page.ts'
import { searchBestReferences as readBest, searchReferences as readSearch } from '../../store/references/read-found-references.ts'
import { makeRank } from './rank-reference.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { readListPage } from '../pagination/list-page.ts'
import { type PageDeps, readPage } from '../pagination/page.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Caller } from '../../model/caller.ts'
import type { ItemMarks } from '../../model/item.ts'
import type { Verification } from '../../model/knowledge.ts'
import type { ListDetails, Reference } from '../../model/reference.ts'
import { readMarks } from '../../store/items/read-marks.ts'
import { readVerifications } from '../../store/knowledge/verified-queries.ts'

/** A reference as the pages list it. */
export type FoundReference = Reference & ListDetails & ItemMarks & { verification: Verification | null }

export interface ReferenceFilters {
  /** Words of the title, the description or the SQL; the start of each word is enough. */
  search?: string
  /** A database's id. */
  database?: string
  createdBy?: 'me'
  /** A folder's id, or `none` for references in no folder. */
  folder?: string
  tag?: string
  favoriteOf?: 'me'
}

interface SearchDeps extends PageDeps {
  db: Db
  clock: Clock
  listCursors: ListCursorCodec
}

/**
 * The pages' list. Without filters it shows the moment of its first page, as the published list does. A search shows the current
 * state, because that is what people look for. A cursor is valid only for the filters it was issued for. A page for a frequent word
 * may be short or empty and still have a `nextCursor`: each page scans at most 5,000 references.
 */
export function searchReferences(
  deps: SearchDeps,
  caller: Caller,
  request: PageRequest & ReferenceFilters,
): Promise<Page<FoundReference>> {
  const { limit, cursor, search, ...filters } = request
  const page = { limit, ...(cursor !== undefined && { cursor }) }
  const text = search?.trim() || undefined
  if (text === undefined && Object.values(filters).every((value) => value === undefined)) return listAll(deps, caller, page)
  return listFound(deps, caller, page, { ...filters, ...(text !== undefined && { search: text }) })
}

function listAll(deps: SearchDeps, caller: Caller, request: PageRequest): Promise<Page<FoundReference>> {
  return readPage(deps, {
    caller,
    list: 'references',
    request,
    async read(page) {
      const answer = await readReferencesPage(deps.db, page)
      if (answer === 'snapshot_unknown') return answer
      const { snapshot, rows } = answer
      const items = await withDetails(deps, caller, rows.map(({ item }) => item), snapshot)
      return { snapshot, rows: rows.map(({ key }, index) => ({ key, item: items[index]! })) }
    },
  })
}

async function listFound(
  deps: SearchDeps,
  caller: Caller,
  request: PageRequest,
  filters: ReferenceFilters,
): Promise<Page<FoundReference>> {
  const { organizationId } = caller
  const { search: text, database, createdBy, folder, tag, favoriteOf } = filters
  const filter = JSON.stringify([text, database, createdBy, folder, tag, favoriteOf].map((value) => value ?? null))
  const page = await readListPage(deps, {
    place: { organizationId, list: 'references found', filter },
    request,
    read: ({ after, count }) =>
      readSearch(deps.db, { organizationId, text, ...conditionsOf(caller, filters), after, count }),
  })
  return { ...page, items: await withDetails(deps, caller, page.items) }
}

const conditionsOf = ({ userId }: Caller, { database, createdBy, folder, tag, favoriteOf }: ReferenceFilters) => ({
  databaseId: database,
  createdBy: createdBy && userId,
  folderId: folder === 'none' ? null : folder,
  tag,
  favoriteOf: favoriteOf && userId,
})

/** The references that match a search best, for pages that search: see `makeRank`. Those that match less well are in the list. */
export async function findBestReferences(
  deps: { db: Db },
  caller: Caller,
  request: ReferenceFilters & { search: string; limit: number },
): Promise<{ items: FoundReference[]; isComplete: boolean }> {
  const text = request.search.trim()
  const best = await readBest(
    deps.db,
    { organizationId: caller.organizationId, text, ...conditionsOf(caller, request), count: request.limit },
    makeRank(text),
  )
  return { isComplete: best.isComplete, items: await withDetails(deps, caller, best.items) }
}

async function withDetails(
  { db }: { db: Db },
  { organizationId, userId }: Caller,
  references: Reference[],
  snapshot?: string,
): Promise<FoundReference[]> {
  if (references.length === 0) return []
  const details = await readListDetails(db, { references, ...(snapshot !== undefined && { snapshot }) })
  const marked = references.map(({ id, currentQuery }) => ({ id, queryId: currentQuery.id }))
  const verifications = await readVerifications(db, { organizationId, references: marked })
  const marks = await readMarks(db, { organizationId, userId, kind: 'reference', itemIds: references.map(({ id }) => id) })
  return references.map((reference) => {
    const { id } = reference
    return { ...reference, ...details.get(id)!, ...marks.get(id)!, verification: verifications.get(id) ?? null }
  })
}
