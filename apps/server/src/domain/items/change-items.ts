import type { Caller } from '../../model/caller.ts'
import { deletedItemKeptMs } from '../../model/item.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { lockDeletedItem, markItemRemoved } from '../../store/items/deleted-items.ts'
import { readTags, tagKey } from '../../store/items/tags-table.ts'
import { readFolderId } from '../../store/references/references-table.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { recordAction, type RecordDeps } from '../audit/record-action.ts'
import { restoreBoardWithin } from '../boards/board-history.ts'
import { contentOf, deleteLocked, lockExistingBoard, noSuchBoard, saveVersion } from '../boards/boards.ts'
import { requireFolder } from '../folders/folders.ts'
import { changeReference, deleteReferenceWithin, lockExisting, noSuchReference, restoreReferenceWithin } from '../references/references.ts'
import { Refusal, type RefusalDetail } from '../refusal.ts'
import { checkTags, type ItemAddress, saveTags } from './items.ts'

/**
 * Changes of many items at once, in one transaction: either all of them are changed or none, and a rejection says for each item what
 * is wrong with it. `moveItems` and `tagItems` return the changes that undo them.
 */
export interface ChangeItemsDeps {
  db: Db
  clock: Clock
  random: Random
}

export interface Move extends ItemAddress {
  folderId: string | null
}

export const moveItems = (deps: ChangeItemsDeps, caller: Caller, moves: Move[]): Promise<Move[]> =>
  changeEach(deps, moves, async (within, { kind, shortId, folderId }) => {
    const { tx } = within
    if (kind === 'board') {
      const board = await lockExistingBoard(tx, caller, shortId)
      if (board.folderId !== folderId) {
        if (folderId !== null) await requireFolder(tx, caller, folderId)
        await saveVersion(within, caller, board, { content: contentOf(board), folderId })
      }
      return { kind, shortId, folderId: board.folderId }
    }
    const reference = await lockExisting(tx, caller, shortId)
    const before = await readFolderId(tx, reference.id)
    if (before !== folderId) {
      if (folderId !== null) await requireFolder(tx, caller, folderId)
      await changeReference(within, caller, reference, { changes: { folderId } })
    }
    return { kind, shortId, folderId: before }
  })

export interface TagChange extends ItemAddress {
  add: string[]
  remove: string[]
}

export const tagItems = (deps: ChangeItemsDeps, caller: Caller, changes: TagChange[]): Promise<TagChange[]> =>
  changeEach(deps, changes, async (within, { kind, shortId, add, remove }) => {
    const { tx } = within
    const lock = kind === 'board' ? lockExistingBoard : lockExisting
    const { id, title } = await lock(tx, caller, shortId)
    const before = await readTags(tx, { organizationId: caller.organizationId, kind, itemId: id })
    const removed = keysOf(remove)
    const added = add.filter((tag) => !keysOf(before).has(tagKey(tag.trim())))
    const wanted = checkTags([...before.filter((tag) => !removed.has(tagKey(tag))), ...added])
    const after = await saveTags(within, caller, { kind, shortId, id, title, before, wanted })
    return { kind, shortId, add: without(before, after), remove: without(after, before) }
  })

const keysOf = (tags: string[]) => new Set(tags.map((tag) => tagKey(tag.trim())))

const without = (tags: string[], others: string[]) => tags.filter((tag) => !keysOf(others).has(tagKey(tag)))

export async function deleteItems(deps: ChangeItemsDeps, caller: Caller, items: ItemAddress[]): Promise<void> {
  await changeEach(deps, items, async (within, { kind, shortId }) => {
    if (kind === 'reference') await deleteReferenceWithin(within, caller, shortId)
    else await deleteLocked(within, caller, await lockExistingBoard(within.tx, caller, shortId))
  })
}

/** Takes items out of the trash. */
export async function restoreItems(deps: ChangeItemsDeps, caller: Caller, items: ItemAddress[]): Promise<void> {
  await changeEach(deps, items, async (within, item) => {
    const restore = item.kind === 'reference' ? restoreReferenceWithin : restoreBoardWithin
    if (!(await restore(within, caller, item.shortId))) throw notInTrash(item)
  })
}

/** Permanently removes items from the trash. */
export async function removeItems(deps: ChangeItemsDeps, caller: Caller, items: ItemAddress[]): Promise<void> {
  requireAdmin(caller)
  const { organizationId } = caller
  const now = deps.clock.now()
  const deletedAfter = new Date(now.getTime() - deletedItemKeptMs)
  await changeEach(deps, items, async (within, item) => {
    const { kind, shortId } = item
    const deleted = await lockDeletedItem(within.tx, { organizationId, kind, shortId, deletedAfter })
    if (!deleted) throw notInTrash(item)
    await markItemRemoved(within.tx, { kind, itemId: deleted.id, now })
    await recordAction(within, caller, {
      action: kind === 'reference' ? 'reference.removed' : 'board.removed',
      subject: { type: kind, id: shortId, name: deleted.title },
    })
  })
}

const notInTrash = ({ kind, shortId }: ItemAddress): Refusal => {
  const { code } = kind === 'reference' ? noSuchReference(shortId) : noSuchBoard(shortId)
  const what = kind === 'reference' ? 'query' : 'board'
  return new Refusal(code, `There is no ${what} ${JSON.stringify(shortId)} in the trash.`)
}

/** In the order of the items' keys, so that two requests for the same items wait for each other instead of deadlocking. */
async function changeEach<Item extends ItemAddress, Result>(
  deps: ChangeItemsDeps,
  items: Item[],
  change: (deps: RecordDeps, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const ordered = items.map((item, index) => ({ item, index, key: `${item.kind} ${item.shortId}` })).toSorted(byKey)
  return deps.db.transaction().execute(async (tx) => {
    const results: { index: number; result: Result }[] = []
    const faults: { index: number; detail: RefusalDetail }[] = []
    for (const [at, { item, index, key }] of ordered.entries()) {
      const refuse = (message: string) => faults.push({ index, detail: { path: `/items/${index}`, message } })
      if (key === ordered[at - 1]?.key) {
        refuse('is listed twice')
        continue
      }
      try {
        results.push({ index, result: await change({ ...deps, tx }, item) })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refuse(error.message)
      }
    }
    if (faults.length > 0) {
      const details = faults.toSorted(byIndex).map(({ detail }) => detail)
      const message = `Nothing was changed, because ${faults.length} of ${items.length} items can't be. ${details[0]!.message}`
      throw new Refusal('invalid_request', message, details)
    }
    return results.toSorted(byIndex).map(({ result }) => result)
  })
}

const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
const byIndex = (a: { index: number }, b: { index: number }) => a.index - b.index
