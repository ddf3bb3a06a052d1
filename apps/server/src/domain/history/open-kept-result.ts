import type { KeptResultInFull } from '../../model/history.ts'
import type { Log } from '../../ports/log.ts'
import { makeSemaphore } from '../../ports/semaphore.ts'
import type { ArchiveBytes } from '../../results/archive/archive-bytes.ts'
import { ArchiveDamaged } from '../../results/archive/number-bytes.ts'
import { restoreDocument } from '../../results/archive/restore-document.ts'
import { restoreResult } from '../../results/archive/restore-result.ts'
import type { StoredResult } from '../../results/result-store.ts'
import type { Db } from '../../store/db.ts'
import { readChain } from '../../store/history/archive-objects.ts'
import { Refusal } from '../refusal.ts'

export interface OpenKeptResultDeps {
  db: Db
  log: Log
  archive: ArchiveBytes
  dataDirectory: string
}

/** Restoring a document takes memory for all of it. */
const restoring = makeSemaphore({ permits: 2 })

/** The bytes of a kept result, as the result route has sent them. All of it is verified before this resolves. */
export function openKeptResult(deps: OpenKeptResultDeps, result: Pick<KeptResultInFull, 'runId' | 'objectId'>): Promise<StoredResult> {
  return restoring.run(async () => {
    const chain = await readChain(deps.db, result.objectId)
    if (chain.length === 0) throw new Refusal('result_not_kept', `The result of ${result.runId} has just expired.`)
    try {
      return await restoreResult(restoreDocument(deps.archive, chain), { temporaryDirectory: `${deps.dataDirectory}/temporary` })
    } catch (error) {
      if (!(error instanceof ArchiveDamaged)) throw error
      deps.log.error({ err: error, runId: result.runId, objectIds: chain.map(({ id }) => id) }, 'kept result is damaged')
      throw new Refusal('result_damaged', `${error.message} Ask your administrator to restore it from a backup.`)
    }
  })
}
