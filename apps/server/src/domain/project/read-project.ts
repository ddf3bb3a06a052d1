import { canonical, type Contents, hashOf, type ItemKind, type StoredItem } from '@querypost/project'
import type { Caller } from '../../model/caller.ts'
import type { ItemKey } from '../../model/page.ts'
import { readBoardsPage } from '../../store/boards/boards-table.ts'
import type { Db } from '../../store/db.ts'
import { readAutomationsPage } from '../../store/automations/automations-table.ts'
import { listDatabases } from '../../store/databases/databases-table.ts'
import { listQuestionSets } from '../../store/evaluations/question-sets-table.ts'
import { listManagedItems } from '../../store/managed/managed-items-table.ts'
import { readMembers } from '../../store/people/memberships-table.ts'
import { readSavedQueriesPage } from '../../store/project/read-saved-queries.ts'
import { requireFullSight } from '../access/require-access.ts'
import { listFolders } from '../folders/folders.ts'
import { listMetrics } from '../knowledge/metric-definitions.ts'
import { automationContent, boardContent, metricContent, type Names, queryContent, questionSetContent } from './contents.ts'

/** How many items are read at once, which bounds the memory that an organization of any size takes. */
const portionSize = 100

/** Everything of the caller's organization that has a file. See `openProject`. */
export async function readProject(deps: { db: Db }, caller: Caller): Promise<StoredItem[]> {
  const items: StoredItem[] = []
  for await (const portion of openProject(deps, caller)) items.push(...portion)
  return items
}

/**
 * Everything of the caller's organization that has a file, with ids as links, in portions, one kind after another in the order of `itemKinds`.
 * Not for members from whom something is hidden: items name others, and a push of what they see would remove the rest.
 */
export function openProject(deps: { db: Db }, caller: Caller): AsyncGenerator<StoredItem[], void, undefined> {
  requireFullSight(caller)
  return portionsOf(deps, caller)
}

async function* portionsOf(deps: { db: Db }, caller: Caller): AsyncGenerator<StoredItem[], void, undefined> {
  const { db } = deps
  const { organizationId } = caller
  for await (const items of unmarkedPortions(deps, caller)) {
    const { kind } = items[0]!
    const managed = await listManagedItems(db, { organizationId, kind, ids: items.map(({ id }) => id) })
    const urlOf = new Map(managed.map(({ id, url }) => [id, url]))
    yield items.map((item) => Object.assign(item, { managedUrl: urlOf.get(item.id) ?? null }))
  }
}

async function* unmarkedPortions(deps: { db: Db }, caller: Caller): AsyncGenerator<StoredItem[], void, undefined> {
  const { db } = deps
  const { organizationId } = caller
  const pages = <Item>(read: ReadPage<Item>) => pagesOf((page) => read(db, { organizationId, ...page }))
  const folders = await listFolders(deps, caller)
  yield* portions(folders, ({ id, name, parentId }) => itemOf('folder', id, { name, ...(parentId !== null && { folder: parentId }) }))
  for await (const queries of pages(readSavedQueriesPage)) yield queries.map((query) => itemOf('query', query.shortId, queryContent(query)))
  for await (const boards of pages(readBoardsPage)) yield boards.map((board) => itemOf('board', board.shortId, boardContent(board)))
  for await (const automations of pages(readAutomationsPage)) yield automations.map((each) => itemOf('automation', each.id, automationContent(each)))
  const names = await readNames(deps, caller)
  yield* portions(await listMetrics(deps, caller), ({ id, content }) => itemOf('metric', id, metricContent(content, names)))
  yield* portions(await listQuestionSets(db, organizationId), (set) => itemOf('question_set', set.id, questionSetContent(set, names)))
}

type ReadPage<Item> = (
  db: Db,
  page: { organizationId: string; after?: ItemKey; count: number },
) => Promise<{ item: Item; key: ItemKey }[]>

async function* pagesOf<Item>(read: (page: { after?: ItemKey; count: number }) => Promise<{ item: Item; key: ItemKey }[]>) {
  let after: ItemKey | undefined
  for (;;) {
    const rows = await read({ count: portionSize, ...(after && { after }) })
    if (rows.length > 0) yield rows.map(({ item }) => item)
    if (rows.length < portionSize) return
    after = rows.at(-1)!.key
  }
}

/** Of a list whose length is limited. */
function* portions<Item>(all: readonly Item[], present: (item: Item) => StoredItem): Generator<StoredItem[]> {
  for (let start = 0; start < all.length; start += portionSize) yield all.slice(start, start + portionSize).map(present)
}

export async function readNames({ db }: { db: Db }, { organizationId }: Caller): Promise<Names> {
  const databases = await listDatabases(db, organizationId)
  const members = await readMembers(db, organizationId)
  return {
    databases: new Map(databases.map(({ id, name }) => [id, name])),
    members: new Map(members.map(({ id, email }) => [id, email])),
  }
}

const itemOf = <Kind extends ItemKind>(kind: Kind, id: string, content: Contents[Kind]): StoredItem =>
  ({ kind, id, hash: hashOf(kind, content), content: canonical(kind, content) }) as StoredItem
