import type { ClaimedFeed, FeedDecision, ReferenceChange } from '../../../model/change-feed.ts'
import type { EventData } from '../../../model/event-type.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { Db, Tx } from '../../../store/db.ts'
import { lockFeed, setNextAttempt } from '../../../store/history/change-feeds-table.ts'
import { advanceFeedRow, postponeFeed } from '../../../store/history/feed-jobs.ts'
import { insertChange } from '../../../store/history/reference-changes-table.ts'
import { findReferenceName } from '../../../store/references/references-table.ts'
import { publishEvent } from '../../webhooks/events/publish-event.ts'
import { changeItem } from './change-item.ts'
import { parseExactly } from './parse-exactly.ts'

export interface RecordFeedDeps {
  db: Db
  clock: Clock
  random: Random
  baseUrl: string
}

/**
 * Records what became of a result: its number, the change, the event with its deliveries, and the new head, in one transaction under the
 * lock of the feed. So a number is given once, whatever crashes. False if the lease is lost. Idempotent.
 */
export function recordFeedStep(
  deps: RecordFeedDeps,
  job: ClaimedFeed,
  decision: FeedDecision,
  { endedAgoMs }: { endedAgoMs: number },
): Promise<boolean> {
  const key = { organizationId: job.organizationId, referenceId: job.id }
  return deps.db.transaction().execute(async (tx) => {
    const feed = await lockFeed(tx, key)
    if (feed?.leaseNumber !== job.leaseNumber) return false
    // The response to an earlier call was lost.
    if (feed.recordedLeaseNumber === job.leaseNumber) return true
    if (decision.state === 'due') {
      await postponeFeed(tx, job, { waitMs: decision.waitMs - endedAgoMs })
    } else if (decision.state === 'given_back') {
      await postponeFeed(tx, job, { waitMs: null })
    } else {
      // Otherwise it was claimed just as another worker recorded it, and the next attempt finds the one after it.
      if (feed.head?.runId === job.head?.runId && (await advanceFeedRow(tx, job, decision)) && decision.state === 'changed') {
        const change = changeOf(job, decision, feed.latestNumber + 1)
        await insertChange(tx, { ...key, change })
        await publishChange({ ...deps, tx }, job, { change, sampleRows: decision.comparison.sampleRows })
      }
      await setNextAttempt(tx, key)
    }
    return true
  })
}

function changeOf({ head }: ClaimedFeed, { to, comparison }: Extract<FeedDecision, { state: 'changed' }>, number: number): ReferenceChange {
  const { keyColumns, isKeyUnique, isReplacement, added, removed, changed } = comparison
  return {
    number,
    at: to.at,
    fromRunId: head!.runId,
    toRunId: to.runId,
    fromResultHash: head!.resultHash,
    toResultHash: to.resultHash,
    keyColumns,
    isKeyUnique,
    isReplacement,
    added,
    removed,
    changed,
  }
}

async function publishChange(
  deps: RecordFeedDeps & { tx: Tx },
  { id: referenceId, organizationId }: ClaimedFeed,
  { change, sampleRows }: { change: ReferenceChange; sampleRows: string[] },
): Promise<void> {
  const { shortId, title } = await findReferenceName(deps.tx, { organizationId, referenceId })
  const data: EventData<'reference.changed'> = {
    ...changeItem(change, { shortId, baseUrl: deps.baseUrl }),
    referenceShortId: shortId,
    title,
    permalink: `${deps.baseUrl}/q/${shortId}`,
    sampleRows: sampleRows.map((row) => parseExactly(row) as Record<string, unknown>),
  }
  await publishEvent(deps, { organizationId, content: { type: 'reference.changed', data } })
}
