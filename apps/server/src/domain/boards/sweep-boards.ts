import type { Clock } from '../../ports/clock.ts'
import { removeDeletedBoards, removeDeletedFolders } from '../../store/boards/remove-deleted-boards.ts'
import type { Db } from '../../store/db.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'

/** How long a deleted board can be restored. Longer than any list refers to the past. */
export const deletedBoardKeptMs = 30 * 24 * 3600_000

export function boardSweeps({ db, clock }: { db: Db; clock: Clock }): Sweep[] {
  const deletedBefore = new Date(clock.now().getTime() - deletedBoardKeptMs)
  return [
    sweepOf('boards', (batchSize) => removeDeletedBoards(db, { deletedBefore, batchSize })),
    sweepOf('folders', (batchSize) => removeDeletedFolders(db, { deletedBefore, batchSize })),
  ]
}
