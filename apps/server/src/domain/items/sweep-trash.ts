import { deletedItemKeptMs } from '../../model/item.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { removeDeletedFolders } from '../../store/folders/remove-deleted-folders.ts'
import { removeDeletedBoards, removeDeletedReferences, removeRestoredItems } from '../../store/items/remove-deleted-items.ts'
import { pastKeptMs } from '../retention.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'

/** Removes references, boards and folders 30 days after they were deleted, and those that an admin removed from the trash. */
export function trashSweeps({ db, clock }: { db: Db; clock: Clock }): Sweep[] {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)
  const deletedBefore = ago(deletedItemKeptMs)
  // Lists of the time before an item was deleted still show it.
  const removedBefore = ago(pastKeptMs)
  return [
    sweepOf('references', (batchSize) => removeDeletedReferences(db, { deletedBefore, removedBefore, batchSize })),
    sweepOf('boards', (batchSize) => removeDeletedBoards(db, { deletedBefore, removedBefore, batchSize })),
    sweepOf('folders', (batchSize) => removeDeletedFolders(db, { deletedBefore, batchSize })),
    sweepOf('restored_items', (batchSize) => removeRestoredItems(db, { restoredBefore: removedBefore, batchSize })),
  ]
}
