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
import type { Verification } from '../../model/knowledge.ts'
import type { ListDetails, Reference } from '../../model/reference.ts'
import { readVerifications } from '../../store/knowledge/verified-queries.ts'

/** A reference as the pages list it. */
export type FoundReference = Reference & ListDetails & { verification: Verification | null }

export interface ReferenceFilters {
  /** Words of the title, the description or the SQL; the start of each word is enough. */
  search?: string
  /** A database's id. */
  database?: string
  createdBy?: 'me'
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
  const { search, database, createdBy, ...page } = request
  const text = search?.trim() || undefined
  if (text === undefined && database === undefined && createdBy === undefined) return listAll(deps, caller, page)
  return listFound(deps, caller, { ...page, text, database, createdBy })
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
  request: PageRequest & { text: string | undefined; database: string | undefined; createdBy: 'me' | undefined },
): Promise<Page<FoundReference>> {
  const { organizationId } = caller
  const { text, database, createdBy } = request
  const filter = JSON.stringify([text ?? null, database ?? null, createdBy ?? null])
  const page = await readListPage(deps, {
    place: { organizationId, list: 'references found', filter },
    request,
    read: ({ after, count }) =>
      readSearch(deps.db, {
        organizationId,
        text,
        databaseId: database,
        createdBy: createdBy && caller.userId,
        after,
        count,
      }),
  })
  return { ...page, items: await withDetails(deps, caller, page.items) }
}

/** The references that match a search best, for pages that search: see `makeRank`. Those that match less well are in the list. */
export async function findBestReferences(
  deps: { db: Db },
  caller: Caller,
  request: ReferenceFilters & { search: string; limit: number },
): Promise<{ items: FoundReference[]; isComplete: boolean }> {
  const text = request.search.trim()
  const best = await readBest(
    deps.db,
    {
      organizationId: caller.organizationId,
      text,
      databaseId: request.database,
      createdBy: request.createdBy && caller.userId,
      count: request.limit,
    },
    makeRank(text),
  )
  return { ...best, items: await withDetails(deps, caller, best.items) }
}

async function withDetails(
  { db }: { db: Db },
  { organizationId }: Caller,
  references: Reference[],
  snapshot?: string,
): Promise<FoundReference[]> {
  if (references.length === 0) return []
  const details = await readListDetails(db, { references, ...(snapshot !== undefined && { snapshot }) })
  const marked = references.map(({ id, currentQuery }) => ({ id, queryId: currentQuery.id }))
  const verifications = await readVerifications(db, { organizationId, references: marked })
  return references.map((reference) => {
    const { id } = reference
    return { ...reference, ...details.get(id)!, verification: verifications.get(id) ?? null }
  })
}
