import type { Caller } from '../../model/caller.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { insertKeptList, readKeptList, removeOldKeptLists } from '../../store/pagination/kept-lists-table.ts'
import { viewerOf } from '../access/read-access.ts'
import { newId } from '../ids.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'
import { historyKeptMs, sequenceTooOld } from './cursor.ts'
import type { ListCursorCodec } from './list-cursor.ts'

/**
 * The pages of a short list whose items have no versions. All pages show the moment of the first one: if there are more items than fit
 * on it, the others are kept as they were then, until the sequence is 7 days old. A cursor names the kept list and a position in it.
 */
export async function readKeptPage<Item>(
  deps: { db: Db; clock: Clock; random: Random; listCursors: ListCursorCodec },
  caller: Caller,
  options: {
    list: 'databases' | 'webhook endpoints' | 'metrics' | 'question sets' | 'dbt imports'
    request: PageRequest
    /** Reads up to `count` items as they are sent, newest first. */
    readItems(count: number): Promise<Item[]>
  },
): Promise<Page<Item>> {
  const { request } = options
  const { organizationId } = caller
  const viewer = viewerOf(caller)
  // Its items are kept as one viewer saw them.
  const place = { organizationId, list: `published ${options.list}`, ...(viewer && { filter: viewer.id }) }
  const now = deps.clock.now()
  const cursorAt = (id: string, position: number) => deps.listCursors.encode(place, { createdAt: String(position), id }, now)
  if (request.cursor !== undefined) {
    const { createdAt: position, id } = deps.listCursors.decode(request.cursor, place, now)
    const start = Number(position)
    const found = await readKeptList(deps.db, { id, organizationId, start, count: request.limit })
    if (!found) throw sequenceTooOld()
    const next = start + found.items.length
    return { items: found.items as Item[], ...(next < found.total && { nextCursor: cursorAt(id, next) }) }
  }
  const first = await options.readItems(request.limit + 1)
  if (first.length <= request.limit) return { items: first }
  const items = await options.readItems(everyItem)
  const id = newId(deps.random, 'list')
  await insertKeptList(deps.db, { id, organizationId, items: items.slice(request.limit), createdAt: now })
  return { items: items.slice(0, request.limit), nextCursor: cursorAt(id, 0) }
}

const everyItem = 2_147_483_647

export function keptListSweep(deps: { db: Db; clock: Clock }): Sweep {
  const createdBefore = new Date(deps.clock.now().getTime() - historyKeptMs)
  return sweepOf('kept_lists', (batchSize) => removeOldKeptLists(deps.db, { createdBefore, batchSize }))
}
