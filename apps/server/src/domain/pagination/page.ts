import type { Clock } from '../../ports/clock.ts'
import type { Caller } from '../../model/caller.ts'
import { type CursorCodec, expiredSnapshot } from './cursor.ts'
import type { ListName, Page, PageRead, PageRequest, PageRows } from '../../model/page.ts'
import { cutPage } from './cut-page.ts'

export interface PageDeps {
  clock: Clock
  cursors: CursorCodec
  systemIdentifier: string
}

/** One page of a list that shows a single moment. */
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
  const { items, last } = cutPage(answer.rows, request.limit)
  if (!last) return { items }
  const nextCursor = deps.cursors.encode({
    list,
    organizationId,
    systemIdentifier,
    snapshot: answer.snapshot,
    after: last,
    sequenceStartedAt: cursor?.sequenceStartedAt ?? now,
    issuedAt: now,
  })
  return { items, nextCursor }
}
