import type { EventContent } from '../../model/event.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db, Tx } from '../../store/db.ts'
import { listReferencesOfQuery } from '../../store/references/references-of-query.ts'
import { type EndedRun, failPendingRun, type PublishRunEnd, type RunOutcome } from '../../store/runs/end-run.ts'
import { storableText } from '../../store/chats/storable-json.ts'
import { shortened } from '../shortened.ts'
import { publishEvent } from '../webhooks/events/publish-event.ts'

export interface RunEndDeps {
  clock: Clock
  random: Random
  baseUrl: string
}

const reasonMaxCharacters = 2000

/** Publishes that a query's run completed or failed. Every end is published: errors, limits, stops, and workers that died. */
export const makePublishRunEnd =
  (deps: RunEndDeps): PublishRunEnd =>
  (tx, run, outcome) =>
    publishRunEnd({ ...deps, tx }, run, outcome)

/** Fails a pending run so that it never starts. False if it is no longer pending. */
export async function stopPendingRun(
  deps: RunEndDeps & { db: Db },
  input: { runId: string; reason: string; stoppedBy: string },
): Promise<boolean> {
  const { runId, reason, stoppedBy } = input
  return deps.db.transaction().execute(async (tx) => {
    const run = await failPendingRun(tx, { ...input, now: deps.clock.now() })
    if (run) await publishRunEnd({ ...deps, tx }, { ...run, id: runId }, { status: 'failed', reason, stoppedBy })
    return run !== undefined
  })
}

async function publishRunEnd(deps: RunEndDeps & { tx: Tx }, run: EndedRun, outcome: RunOutcome): Promise<void> {
  const { organizationId, queryId } = run
  const [reference] = await listReferencesOfQuery(deps.tx, { organizationId, queryId, count: 1 })
  const data = {
    runId: run.id,
    queryId,
    referenceShortId: reference?.shortId ?? null,
    title: reference?.title ?? null,
    permalink: reference ? `${deps.baseUrl}/q/${reference.shortId}` : null,
  }
  await publishEvent(deps, { organizationId, content: contentOf(data, outcome) })
}

function contentOf(data: QueryRunData, outcome: RunOutcome): EventContent {
  if (outcome.status === 'completed') {
    return { type: 'query.run.completed', data: { ...data, rowCount: outcome.rowCount, resultHash: outcome.hash } }
  }
  const reason = shortened(storableText(outcome.reason), reasonMaxCharacters)
  return { type: 'query.run.failed', data: { ...data, reason, isStopped: outcome.stoppedBy !== undefined } }
}

type QueryRunData = Pick<
  Extract<EventContent, { type: 'query.run.failed' }>['data'],
  'runId' | 'queryId' | 'referenceShortId' | 'title' | 'permalink'
>
