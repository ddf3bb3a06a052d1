import type { Clock } from '../../ports/clock.ts'
import { type KeyUsage, readKeyUse } from '../../store/audit/read-key-use.ts'
import type { Db } from '../../store/db.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { requireAdmin } from '../access/require-admin.ts'
import type { Caller } from '../../model/caller.ts'
import { readListPage, withKeys } from '../pagination/list-page.ts'
import type { KeyUseRecorder } from './key-use-recorder.ts'

export const keyUseDaysMax = 90
export const keyUseDaysDefault = 30
const dayMs = 24 * 3600_000

/**
 * Which keys were used in the last days including today (days start at midnight UTC), how often and for what. Includes revoked keys
 * and keys of former members. Ordered by id.
 */
export async function listKeyUse(
  deps: { db: Db; clock: Clock; listCursors: ListCursorCodec; keyUse: Pick<KeyUseRecorder, 'flush'> },
  caller: Caller,
  request: PageRequest & { days?: number },
): Promise<Page<KeyUsage> & { from: Date; days: number }> {
  requireAdmin(caller)
  const { organizationId } = caller
  const { days = keyUseDaysDefault } = request
  const nowMs = deps.clock.now().getTime()
  const from = new Date(nowMs - (nowMs % dayMs) - (days - 1) * dayMs)
  const page = await readListPage(deps, {
    place: { organizationId, list: 'key use', filter: String(days) },
    request,
    async read({ count, after }) {
      // Write what this process has counted; others write theirs within seconds.
      await deps.keyUse.flush()
      const keys = await readKeyUse(deps.db, { organizationId, from, count, ...(after && { afterKeyId: after.id }) })
      return { rows: withKeys(keys, ({ id }) => ({ createdAt: from.toISOString(), id })) }
    },
  })
  return { from, days, ...page }
}
