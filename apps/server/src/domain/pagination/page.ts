import type { Clock } from '../../ports/clock.ts'
import type { Caller } from '../people/caller.ts'
import { cutPage, type KeyedRow } from './cut-page.ts'
import { expiredSnapshot, type CursorCodec, type ItemKey, type ListName } from './cursor.ts'

export const pageSizeDefault = 20
export const pageSizeMaximum = 100

export interface Page<Item> {
  items: Item[]
  /** Absent on the last page. */
  nextCursor?: string
}

export interface PageRequest {
  limit: number
  cursor?: string
}

/** What a list's statement is asked for, and answers. */
export interface PageRead {
  organizationId: string
  /** Absent for a first page: the statement's own snapshot is then the sequence's. */
  from?: { snapshot: string; after: ItemKey }
  count: number
}

export interface PageRows<Item> {
  snapshot: string
  /** In the list's order, at most `count` of them. */
  rows: KeyedRow<Item>[]
}

export interface PageDeps {
  clock: Clock
  cursors: CursorCodec
  systemIdentifier: string
}

/** One page of a list that shows one moment. */
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
