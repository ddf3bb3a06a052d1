import type { Caller } from '../../../model/caller.ts'
import type { ReferenceChange } from '../../../model/change-feed.ts'
import type { KeptResultInFull } from '../../../model/history.ts'
import type { Reference } from '../../../model/reference.ts'
import { findKeptResult } from '../../../store/history/archived-results-table.ts'
import { findFeed } from '../../../store/history/change-feeds-table.ts'
import { findChange, readChangesAfter } from '../../../store/history/reference-changes-table.ts'
import { getReference } from '../../references/references.ts'
import { Refusal } from '../../refusal.ts'
import { compareStoredResults, type CompareDeps } from '../compare/compare-results.ts'
import { openKeptResult } from '../open-kept-result.ts'
import { replacedRows } from './compare-for-feed.ts'

/**
 * The changes after a number, or all that are kept, oldest first. `nextAfter` is where the next request goes on, also if there is none
 * yet.
 */
export async function listChanges(
  deps: Pick<CompareDeps, 'db' | 'findReference'>,
  caller: Caller,
  { shortId, after, limit }: { shortId: string; after?: number | undefined; limit: number },
): Promise<{ items: ReferenceChange[]; nextAfter: number; latestNumber: number }> {
  const { referenceId, latestNumber } = await getPublished(deps, caller, shortId)
  if (after !== undefined && after > latestNumber) throw noSuchChange(after, latestNumber)
  const items = await readChangesAfter(deps.db, { organizationId: caller.organizationId, referenceId, after: after ?? 0, count: limit })
  const [first] = items
  // Numbers have no gaps, so the changes between have been removed.
  if (after !== undefined && first && first.number > after + 1) {
    throw changesExpired(`The changes from ${after + 1} to ${first.number - 1} are no longer listed.`, latestNumber)
  }
  return { items, nextAfter: items.at(-1)?.number ?? after ?? latestNumber, latestNumber }
}

export interface OpenedChange {
  change: ReferenceChange
  from: KeptResultInFull
  to: KeptResultInFull
}

/** A change and its two results. */
export async function openChange(
  deps: Pick<CompareDeps, 'db' | 'findReference'>,
  caller: Caller,
  { shortId, number }: { shortId: string; number: number },
): Promise<OpenedChange> {
  const { referenceId, latestNumber } = await getPublished(deps, caller, shortId)
  const key = { organizationId: caller.organizationId, referenceId }
  const change = await findChange(deps.db, { ...key, number })
  if (!change && number <= latestNumber) throw changesExpired(`Change ${number} is no longer listed.`, latestNumber)
  if (!change) throw noSuchChange(number, latestNumber)
  const from = await findKeptResult(deps.db, { ...key, runId: change.fromRunId })
  const to = await findKeptResult(deps.db, { ...key, runId: change.toRunId })
  if (!from || !to) {
    throw new Refusal(
      'change_rows_expired',
      `A result that change ${number} is about has expired, so its rows can no longer be listed. Read the newest result, and go on after number ${latestNumber}.`,
    )
  }
  return { change, from, to }
}

/** The changed rows, each as JSON. Must be read to its end or closed. */
export async function compareChange(
  deps: CompareDeps,
  { change, from, to }: OpenedChange,
  signal: AbortSignal,
): Promise<{ rows(): AsyncGenerator<string>; close(): Promise<void> }> {
  const open = { from: () => openKeptResult(deps, from), to: () => openKeptResult(deps, to) }
  if (change.isReplacement) return { rows: () => replacedRows(open), close: async () => {} }
  const compared = await compareStoredResults(deps, { ...open, keyColumns: change.keyColumns, signal })
  return { rows: () => compared.changes(), close: () => compared.close() }
}

async function getPublished(
  deps: Pick<CompareDeps, 'db' | 'findReference'>,
  caller: Caller,
  shortId: string,
): Promise<{ referenceId: Reference['id']; latestNumber: number }> {
  const { id: referenceId } = await getReference(deps, caller, shortId)
  const feed = await findFeed(deps.db, { organizationId: caller.organizationId, referenceId })
  if (!feed?.isPublishing) {
    throw new Refusal('changes_not_published', `The query reference ${JSON.stringify(shortId)} does not publish changes.`)
  }
  return { referenceId, latestNumber: feed.latestNumber }
}

const noSuchChange = (number: number, latestNumber: number) =>
  new Refusal('change_not_found', `There is no change ${number}. The newest is ${latestNumber}.`)

const changesExpired = (fault: string, latestNumber: number) =>
  new Refusal('changes_expired', `${fault} Read the newest result, and go on after number ${latestNumber}.`)
