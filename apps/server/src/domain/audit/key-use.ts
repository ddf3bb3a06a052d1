import type { Clock } from '../../ports/clock.ts'
import { type KeyUseOfKey, readKeyUse } from '../../store/audit/read-key-use.ts'
import type { Db } from '../../store/db.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { requireAdmin } from '../people/caller.ts'
import type { Caller } from '../../model/caller.ts'
import type { KeyUseRecorder } from './key-use-recorder.ts'

export const keyUseDaysMax = 90
export const keyUseDaysDefault = 30
const dayMs = 24 * 3600_000

/**
 * Which keys were used in the last days, today counted (days begin at midnight UTC), how often and for what: also keys that are
 * revoked, and those of people who are no members any more. In the order of their ids.
 */
export async function listKeyUse(
  deps: { db: Db; clock: Clock; listCursors: ListCursorCodec; keyUse: Pick<KeyUseRecorder, 'flush'> },
  caller: Caller,
  request: PageRequest & { days?: number },
): Promise<Page<KeyUseOfKey> & { from: Date; days: number }> {
  requireAdmin(caller)
  const { organizationId } = caller
  const { limit, cursor, days = keyUseDaysDefault } = request
  const now = deps.clock.now()
  const place = { organizationId, list: 'key use', filter: String(days) }
  const after = cursor === undefined ? undefined : deps.listCursors.decode(cursor, place, now)
  // What this process has counted; others write theirs within seconds.
  await deps.keyUse.flush()
  const from = new Date(now.getTime() - (now.getTime() % dayMs) - (days - 1) * dayMs)
  const rows = await readKeyUse(deps.db, { organizationId, from, count: limit + 1, ...(after && { afterKeyId: after.id }) })
  const items = rows.slice(0, limit)
  if (rows.length <= limit) return { from, days, items }
  const key = { createdAt: from.toISOString(), id: items.at(-1)!.id }
  return { from, days, items, nextCursor: deps.listCursors.encode(place, key, now) }
}
