import type { Caller } from '../../model/caller.ts'
import { type KeptResult, type KeptResultInFull, pinnedMax } from '../../model/history.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Reference } from '../../model/reference.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import {
  countPinned,
  endPin,
  findKeptResult,
  insertPin,
  lockKeptResult,
  readKeptResultsPage,
} from '../../store/history/archived-results-table.ts'
import { recordAction } from '../audit/record-action.ts'
import { newId } from '../ids.ts'
import { type PageDeps, readPage } from '../pagination/page.ts'
import { getReference, lockExisting, type ReferencesDeps } from '../references/references.ts'
import { Refusal } from '../refusal.ts'

export type HistoryDeps = PageDeps & Pick<ReferencesDeps, 'findReference'> & { db: Db; random: Random }

/** The kept results of a reference, newest first. */
export async function listKeptResults(
  deps: HistoryDeps,
  caller: Caller,
  { shortId, ...request }: PageRequest & { shortId: string },
): Promise<Page<KeptResult>> {
  const { id: referenceId } = await getReference(deps, caller, shortId)
  const list = `results of ${referenceId}` as const
  return readPage(deps, { caller, list, request, read: (page) => readKeptResultsPage(deps.db, { ...page, referenceId }) })
}

/** A kept result of a reference, and the reference. */
export async function getKeptResult(
  deps: Pick<HistoryDeps, 'db' | 'findReference'>,
  caller: Pick<Caller, 'organizationId'>,
  { shortId, runId }: { shortId: string; runId: string },
): Promise<{ reference: Reference; result: KeptResultInFull }> {
  const reference = await getReference(deps, caller, shortId)
  const { organizationId } = caller
  const result = await findKeptResult(deps.db, { organizationId, referenceId: reference.id, runId })
  if (!result) throw notKept(shortId, runId)
  return { reference, result }
}

/** Keeps a result until it is unpinned. Pinning it twice changes nothing. */
export async function pinResult(deps: HistoryDeps, caller: Caller, key: { shortId: string; runId: string }): Promise<KeptResult> {
  const { shortId, runId } = key
  await deps.db.transaction().execute(async (tx) => {
    // The lock of the reference makes the limit exact.
    const reference = await lockExisting(tx, caller, shortId)
    if (!(await lockKeptResult(tx, { referenceId: reference.id, runId }))) throw notKept(shortId, runId)
    const pin = { id: newId(deps.random, 'pin'), referenceId: reference.id, runId, pinnedBy: caller.userId, now: deps.clock.now() }
    if (!(await insertPin(tx, pin))) return
    if ((await countPinned(tx, reference.id)) > pinnedMax) {
      throw new Refusal('too_many_pinned', `The reference has ${pinnedMax} pinned results already. Unpin one first.`)
    }
    await recordAction({ ...deps, tx }, caller, { action: 'result.pinned', subject: subjectOf(reference), details: { runId } })
  })
  return (await getKeptResult(deps, caller, key)).result
}

/** Lets a result expire again. Unpinning one that is not pinned changes nothing. */
export async function unpinResult(deps: HistoryDeps, caller: Caller, key: { shortId: string; runId: string }): Promise<KeptResult> {
  const { shortId, runId } = key
  await deps.db.transaction().execute(async (tx) => {
    const reference = await lockExisting(tx, caller, shortId)
    if (!(await lockKeptResult(tx, { referenceId: reference.id, runId }))) throw notKept(shortId, runId)
    if (!(await endPin(tx, { referenceId: reference.id, runId, now: deps.clock.now() }))) return
    await recordAction({ ...deps, tx }, caller, { action: 'result.unpinned', subject: subjectOf(reference), details: { runId } })
  })
  return (await getKeptResult(deps, caller, key)).result
}

const subjectOf = ({ shortId, title }: Reference) => ({ type: 'reference', id: shortId, name: title }) as const

const notKept = (shortId: string, runId: string) =>
  new Refusal(
    'result_not_kept',
    `The query reference ${JSON.stringify(shortId)} has no kept result of ${JSON.stringify(runId)}. It may have expired.`,
  )
