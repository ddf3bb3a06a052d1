import { keptMs } from '../model/kept-times.ts'
import type { Clock } from '../ports/clock.ts'
import { removeOldAlertHistory } from '../store/automations/remove-old-alert-history.ts'
import { removeUnusedImages } from '../store/boards/remove-unused-images.ts'
import { removeOldChats } from '../store/chats/remove-old-chats.ts'
import { removeOldCostUsage } from '../store/cost-limits/cost-usage.ts'
import type { Db } from '../store/db.ts'
import { removeOldEvaluations } from '../store/evaluations/remove-old-evaluations.ts'
import { removeOldUsage } from '../store/model-budgets/remove-old-usage.ts'
import { expireUnsavedQueries, purgeQueries } from '../store/queries/expire-queries.ts'
import { removeOldRuns } from '../store/runs/remove-old-runs.ts'
import { type Sweep, sweepOf } from './sweep-step.ts'

/**
 * How long unsaved queries, runs, chats with their agent runs, evaluations and the model's usage, the history of alerts, and unused
 * images are kept. Anything saved, or still needed by something that is kept, stays however old it is; the rules are in
 * `docs/retention.md`.
 */
export interface Retention {
  /** Counted from when the query was stored or its last run ended. */
  unsavedQueryMs: number
  /** Counted from the run's end. */
  runMs: number
  /** Counted from the last message. */
  chatMs: number
  /** Counted from the change. */
  alertHistoryMs: number
  /** Counted from the upload. */
  unusedImageMs: number
}

export const retentionDaysDefault = { unsavedQueryDays: 30, runDays: 90, chatDays: 400, alertHistoryDays: 400, unusedImageDays: 30 }

const dayMs = 24 * 3600_000

export const retentionOf = (days: typeof retentionDaysDefault): Retention => ({
  unsavedQueryMs: days.unsavedQueryDays * dayMs,
  runMs: days.runDays * dayMs,
  chatMs: days.chatDays * dayMs,
  alertHistoryMs: days.alertHistoryDays * dayMs,
  unusedImageMs: days.unusedImageDays * dayMs,
})

/** How long a page of a list may refer to the past. */
export const pastKeptMs = keptMs.pastVersions

/** Per query, so that its history is never empty. */
const keptRuns = 50
/** Per automation, so that its page is never empty. */
const keptAgentRuns = 10

/** Per alert, so that its history is never empty. */
const keptAlertChanges = 50
/** Per question set, so that there is always something to compare with. */
const keptEvaluations = 10
/** Usage of the model is kept at least this long, because monthly limits count it. */
const usageKeptAtLeastMs = 62 * dayMs

/** Chats come first: the queries that their agents ran are removed by a later sweep. */
export function retentionSweeps(deps: {
  db: Db
  clock: Clock
  retention: Retention
  resultLifetimeMs: number
}): Sweep[] {
  const { db, retention } = deps
  const now = deps.clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  // A run stays as long as its result may be requested.
  const atLeastResult = (ms: number) => Math.max(ms, deps.resultLifetimeMs + dayMs)
  const unusedBefore = ago(atLeastResult(retention.unsavedQueryMs))
  const endedBefore = ago(atLeastResult(retention.runMs))
  return [
    {
      kind: 'chats',
      removeBatch: () => removeOldChats(db, { unchangedSince: ago(retention.chatMs), keptRuns: keptAgentRuns, now }),
    },
    { kind: 'queries_expired', removeBatch: () => expireUnsavedQueries(db, { unusedBefore, now }) },
    { kind: 'queries_purged', removeBatch: () => purgeQueries(db, { expiredBefore: ago(pastKeptMs) }) },
    {
      kind: 'runs',
      removeBatch: () => removeOldRuns(db, { endedBefore, replacedBefore: ago(pastKeptMs), keptCount: keptRuns, now }),
    },
    sweepOf('evaluations', (batchSize) =>
      removeOldEvaluations(db, { endedBefore: ago(retention.chatMs), keptCount: keptEvaluations, batchSize }),
    ),
    {
      kind: 'alert_history',
      removeBatch: () => removeOldAlertHistory(db, { before: ago(retention.alertHistoryMs), keptCount: keptAlertChanges, now }),
    },
    { kind: 'board_images', removeBatch: () => removeUnusedImages(db, { uploadedBefore: ago(retention.unusedImageMs), now }) },
    sweepOf('cost_usage', (batchSize) => removeOldCostUsage(db, { before: ago(keptMs.costUsage), batchSize })),
    sweepOf('model_usage', (batchSize) =>
      removeOldUsage(db, { before: ago(Math.max(retention.chatMs, usageKeptAtLeastMs)), batchSize }),
    ),
  ]
}
