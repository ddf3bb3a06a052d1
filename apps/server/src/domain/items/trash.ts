import type { Caller } from '../../model/caller.ts'
import { deletedItemKeptMs, type TrashItem } from '../../model/item.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Db } from '../../store/db.ts'
import { readTrashPage } from '../../store/items/read-trash-page.ts'
import { type PageDeps, readPage } from '../pagination/page.ts'

/** Queries and boards that can be restored, the latest deletion first; all pages show the moment of the first. */
export function listTrash(deps: PageDeps & { db: Db }, caller: Caller, request: PageRequest): Promise<Page<TrashItem>> {
  const deletedAfter = new Date(deps.clock.now().getTime() - deletedItemKeptMs)
  return readPage(deps, { caller, list: 'trash', request, read: (page) => readTrashPage(deps.db, { ...page, deletedAfter }) })
}
