import { keptMs } from '../../model/kept-times.ts'
import { historyLimitsDefault } from '../../model/history.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ArchiveBytes } from '../../results/archive/archive-bytes.ts'
import type { Db } from '../../store/db.ts'
import {
  expireKeptResults,
  findRemovedObjects,
  forgetObjects,
  forgetRemovedResults,
  removeEndedArchiveJobs,
  removeUnfinishedObjects,
  removeUnusedObjects,
  shrinkHistories,
} from '../../store/history/remove-archived.ts'
import { removeOldChanges } from '../../store/history/reference-changes-table.ts'
import { pastKeptMs } from '../retention.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'

const dayMs = 24 * 3600_000
/** Longer than anyone needs to write or to read an object. */
const inUseMs = dayMs
const objectsAtOnce = 200

/** Removes kept results that have expired, then the bytes that none needs, then the rows that no page shows any more. */
export function historySweeps({ db, clock, archive }: { db: Db; clock: Clock; archive: ArchiveBytes }): Sweep[] {
  const now = clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const defaults = historyLimitsDefault
  return [
    { kind: 'kept_results', removeBatch: () => expireKeptResults(db, { defaults, now }) },
    { kind: 'kept_results', removeBatch: () => shrinkHistories(db, { defaults, now }) },
    sweepOf('archive_objects', (batchSize) => removeUnfinishedObjects(db, { writingSince: ago(inUseMs), now, batchSize })),
    { kind: 'archive_objects', removeBatch: () => removeUnusedObjects(db, { writingSince: ago(inUseMs), now }) },
    {
      kind: 'archive_bytes',
      async removeBatch() {
        const objects = await findRemovedObjects(db, { removedBefore: ago(inUseMs), places: archive.places, count: objectsAtOnce })
        if (objects.length === 0) return { rows: 0, hasMore: false }
        await archive.remove(objects)
        await forgetObjects(db, objects.map(({ id }) => id))
        return { rows: objects.length, hasMore: objects.length === objectsAtOnce }
      },
    },
    sweepOf('former_kept_results', (batchSize) => forgetRemovedResults(db, { removedBefore: ago(pastKeptMs), batchSize })),
    sweepOf('archive_jobs', (batchSize) => removeEndedArchiveJobs(db, { endedBefore: ago(pastKeptMs), batchSize })),
    sweepOf('reference_changes', (batchSize) => removeOldChanges(db, { recordedBefore: ago(keptMs.referenceChanges), batchSize })),
  ]
}
