import type { Caller } from '../../../model/caller.ts'
import type { ChangeFeed, FeedProblem, FeedResult, ReferenceChange } from '../../../model/change-feed.ts'
import type { KeptResultInFull } from '../../../model/history.ts'
import type { ParameterValues } from '../../../model/parameter.ts'
import type { ReferenceInFull } from '../../../model/reference.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { Tx } from '../../../store/db.ts'
import { findNewestKeptResult, lockKeptResult } from '../../../store/history/archived-results-table.ts'
import {
  type FeedRow,
  findFeed,
  findRunsToBeKept,
  lockFeed,
  presentFeed,
  queueResults,
  removeQueuedResults,
  saveFeed,
  setNextAttempt,
} from '../../../store/history/change-feeds-table.ts'
import { readLatestChanges } from '../../../store/history/reference-changes-table.ts'
import { changesOf } from '../../audit/changes.ts'
import { recordChange } from '../../audit/record-action.ts'
import { getStoredQuery } from '../../queries/queries.ts'
import { getReference, lockExisting, type ReferencesDeps } from '../../references/references.ts'
import { Refusal } from '../../refusal.ts'
import type { CompareDeps } from '../compare/compare-results.ts'
import { openKeptResult } from '../open-kept-result.ts'
import { findFeedKey } from './compare-for-feed.ts'
import { defaultValues } from './own-runs.ts'

export interface FeedSettingsDeps extends CompareDeps, Pick<ReferencesDeps, 'findQuery'> {
  clock: Clock
  random: Random
}

export interface FeedEdit {
  publishesChanges?: boolean
  /** Null: they are inferred from the data. */
  keyColumns?: string[] | null
}

const latestShown = 10

/** The feed of a reference, with its newest changes. */
export async function getFeed(
  deps: FeedSettingsDeps,
  caller: Caller,
  shortId: string,
): Promise<ChangeFeed & { latestChanges: ReferenceChange[] }> {
  const { id: referenceId } = await getReference(deps, caller, shortId)
  const key = { organizationId: caller.organizationId, referenceId }
  const feed = presentFeed(await findFeed(deps.db, key))
  return { ...feed, latestChanges: await readLatestChanges(deps.db, { ...key, count: latestShown }) }
}

/**
 * Turns publishing on or off, or chooses the key. Turned on, the feed begins with the newest result that is kept. Turned on again, it
 * goes on with the next number: its first change then covers everything that happened since.
 */
export async function changeFeed(
  deps: FeedSettingsDeps,
  caller: Caller,
  { shortId, signal, ...edit }: FeedEdit & { shortId: string; signal: AbortSignal },
): Promise<ReferenceInFull & ChangeFeed> {
  const reference = await getReference(deps, caller, shortId)
  const key = { organizationId: caller.organizationId, referenceId: reference.id }
  const before = await findFeed(deps.db, key)
  const wanted = settingsAfter(before, edit)
  if (wanted.isPublishing && isChanged(before, wanted)) {
    const basis = await findBasis(deps, caller, reference, wanted.chosenKeyColumns, signal)
    await save(deps, caller, { shortId, wanted, basis })
  } else if (isChanged(before, wanted)) {
    await save(deps, caller, { shortId, wanted, basis: undefined })
  }
  return { ...reference, ...presentFeed(await findFeed(deps.db, key)) }
}

interface Wanted {
  isPublishing: boolean
  chosenKeyColumns: string[] | null
}

function settingsAfter(before: FeedRow | undefined, edit: FeedEdit): Wanted {
  const isPublishing = edit.publishesChanges ?? before?.isPublishing ?? false
  if (!isPublishing && edit.keyColumns !== undefined) {
    throw new Refusal('changes_not_published', 'The key has no use while the reference does not publish changes. Send "publishesChanges": true with it.')
  }
  const chosen = edit.keyColumns === undefined ? before?.chosenKeyColumns : edit.keyColumns && [...new Set(edit.keyColumns)]
  return { isPublishing, chosenKeyColumns: chosen ?? null }
}

const isChanged = (before: FeedRow | undefined, { isPublishing, chosenKeyColumns }: Wanted) =>
  isPublishing !== (before?.isPublishing ?? false) ||
  JSON.stringify(chosenKeyColumns) !== JSON.stringify(before?.chosenKeyColumns ?? null)

/** What a feed is turned on with: the newest result of the reference's own runs, and its key. */
interface Basis {
  values: ParameterValues
  result: KeptResultInFull | undefined
  key: { keyColumns: string[] | null; problem: FeedProblem | null }
}

async function findBasis(
  deps: FeedSettingsDeps,
  caller: Caller,
  { id: referenceId, isOptimistic, currentQuery, parameters }: ReferenceInFull,
  chosenKeyColumns: string[] | null,
  signal: AbortSignal,
): Promise<Basis> {
  const noResult = { result: undefined, key: { keyColumns: chosenKeyColumns, problem: null } }
  if (isOptimistic) return { values: {}, ...noResult }
  const values = defaultValues(await getStoredQuery(deps, caller, currentQuery.id), parameters)
  const newest = { organizationId: caller.organizationId, referenceId, queryId: currentQuery.id, parameterValues: values }
  const result = await findNewestKeptResult(deps.db, newest)
  if (!result) return { values, ...noResult }
  const key = await findFeedKey(deps, { open: () => openKeptResult(deps, result), chosenKeyColumns, signal })
  if (key.problem) throw unusableKey(chosenKeyColumns!, key.problem)
  return { values, result, key }
}

const unusableKey = (columns: string[], problem: FeedProblem) =>
  problem === 'key_column_missing'
    ? new Refusal('invalid_request', 'The newest result does not have all of the key columns.', [
        { path: '/keyColumns', message: 'must be names of columns of the result' },
      ])
    : new Refusal(
        'key_not_unique',
        `Several rows of the newest result have the same values in ${columns.map((name) => JSON.stringify(name)).join(', ')}. Choose columns that identify a row, or leave them out.`,
      )

function save(
  deps: FeedSettingsDeps,
  caller: Caller,
  { shortId, wanted, basis }: { shortId: string; wanted: Wanted; basis: Basis | undefined },
): Promise<void> {
  const { organizationId } = caller
  return deps.db.transaction().execute(async (tx) => {
    // The lock of the reference keeps results from being added while the queue is filled.
    const reference = await lockExisting(tx, caller, shortId)
    const key = { organizationId, referenceId: reference.id }
    const before = await lockFeed(tx, key)
    const head = before?.head ?? (basis?.result && (await stillKept(tx, reference.id, basis.result))) ?? null
    const found = basis?.key ?? { keyColumns: before?.keyColumns ?? null, problem: null }
    await saveFeed(tx, { ...key, ...wanted, ...found, head })
    if (!wanted.isPublishing) await removeQueuedResults(tx, key)
    else if (!before?.isPublishing) await queueResults(tx, { ...key, runIds: await resultsToCatchUp(tx, { reference, basis: basis!, head, organizationId }) })
    await setNextAttempt(tx, key)
    await recordChange({ ...deps, tx }, caller, {
      action: 'change_feed.changed',
      subject: { type: 'reference', id: shortId, name: reference.title },
      details: { changes: changesOf(audited(before), audited(wanted)) },
    })
  })
}

const audited = (settings: Wanted | undefined) => ({
  publishesChanges: settings?.isPublishing ?? false,
  keyColumns: settings?.chosenKeyColumns ?? null,
})

/** Undefined if it has expired since it was read. */
async function stillKept(tx: Tx, referenceId: string, { runId, resultHash, rowCount }: KeptResultInFull): Promise<FeedResult | undefined> {
  return (await lockKeptResult(tx, { referenceId, runId })) ? { runId, resultHash, rowCount } : undefined
}

/** Results since the head: the newest that is kept, and those that are about to be. */
async function resultsToCatchUp(
  tx: Tx,
  options: { reference: ReferenceInFull; basis: Basis; head: FeedResult | null; organizationId: string },
): Promise<string[]> {
  const { reference, basis, head, organizationId } = options
  const { id: queryId } = reference.currentQuery
  const newest = await findNewestKeptResult(tx, { organizationId, referenceId: reference.id, queryId, parameterValues: basis.values })
  const caughtUp = newest && newest.runId !== head?.runId ? [newest.runId] : []
  return [...caughtUp, ...(await findRunsToBeKept(tx, { organizationId, queryId }))]
}
