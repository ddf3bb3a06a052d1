import type { Clock } from '../../ports/clock.ts'
import type { Caller } from '../../model/caller.ts'
import { type CursorCodec, expiredSnapshot } from './cursor.ts'
import type { ListName, Page, PageRead, PageRequest, PageRows } from '../../model/page.ts'

export interface PageDeps {
  clock: Clock
  cursors: CursorCodec
  systemIdentifier: string
}

/** One page of a list: checks the cursor, reads one item more than asked to know whether another page follows. */
export async function readPage<Item>(
  deps: PageDeps,
  options: {
    caller: Caller
    list: ListName
    request: PageRequest
    read(page: PageRead): Promise<PageRows<Item> | 'snapshot_unknown'>
  },
): Promise<Page<Item>> {
  const { caller, list, request } = options
  const { organizationId } = caller
  const now = deps.clock.now()
  const { systemIdentifier } = deps
  const cursor =
    request.cursor === undefined
      ? undefined
      : deps.cursors.decode(request.cursor, { list, organizationId, systemIdentifier, now })
  const answer = await options.read({ organizationId, ...(cursor && { from: cursor }), count: request.limit + 1 })
  if (answer === 'snapshot_unknown') throw expiredSnapshot()
  const shown = answer.rows.slice(0, request.limit)
  const items = shown.map(({ item }) => item)
  const last = shown.at(-1)
  if (answer.rows.length <= request.limit || !last) return { items }
  const nextCursor = deps.cursors.encode({
    list,
    organizationId,
    systemIdentifier,
    snapshot: answer.snapshot,
    after: last.key,
    sequenceStartedAt: cursor?.sequenceStartedAt ?? now,
    issuedAt: now,
  })
  return { items, nextCursor }
}
