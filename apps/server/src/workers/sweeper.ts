import { auditLogSweeps } from '../domain/audit/sweep-audit-log.ts'
import { measureSweep } from '../domain/automations/alerts/sweep-measures.ts'
import { historySweeps } from '../domain/history/sweep-history.ts'
import { trashSweeps } from '../domain/items/sweep-trash.ts'
import { notificationSweep } from '../domain/notifications/sweep-notifications.ts'
import { apiBudgetSweep } from '../domain/api-limits/api-limits.ts'
import { idempotentAnswerSweep } from '../domain/idempotency/idempotent-request.ts'
import { keptListSweep } from '../domain/pagination/kept-list.ts'
import { deleteExpiredSessions } from '../domain/people/sessions.ts'
import { linkSweeps } from '../domain/people/sweep-links.ts'
import { signInBudgetSweep } from '../domain/people/sweep-sign-in-budgets.ts'
import { reportSweeps } from '../domain/reports/sweep-reports.ts'
import { resultSweeps } from '../domain/results/sweep-results.ts'
import { slackQuestionSweep } from '../domain/slack-questions/sweep-slack-questions.ts'
import { pastKeptMs, type Retention, retentionSweeps } from '../domain/retention.ts'
import { type Sweep, type SweptKind, sweepOf } from '../domain/sweep-step.ts'
import { webhookSweeps } from '../domain/webhooks/sweep-webhooks.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { ArchiveBytes } from '../results/archive/archive-bytes.ts'
import type { ResultStore } from '../results/result-store.ts'
import type { Db } from '../store/db.ts'
import { pruneAutomationHistory } from '../store/automations/prune-automation-history.ts'
import { pruneChatHistory } from '../store/chats/remove-chats.ts'
import { pruneReferenceHistory } from '../store/references/prune-history.ts'
import { repeatTask, type RepeatedTask } from '../work/repeat.ts'

/**
 * Deletes expired data.
 *
 * - A *pass* gives every sweep up to `batchesPerPass` batches, one sweep after the other, so that a large backlog of one kind
 *   does not block the others.
 * - If a pass leaves rows behind, another follows after a short pause, in which other work has the store to itself.
 * - The first sweep begins some seconds after the start.
 * - A failed sweep is logged and retried ten minutes later; the other sweeps still run.
 * - A stop takes effect between two batches, and cuts a pause short.
 */
export interface SweeperDeps {
  db: Db
  clock: Clock
  log: Log
  results: ResultStore
  archive: ArchiveBytes
  resultLifetimeMs: number
  auditLogKeptMs: number
  retention: Retention
  /** Called for every batch that removed rows. */
  onSwept?(swept: { kind: SweptKind; rows: number }): void
}

const everyMs = 10 * 60_000
/** A sweep has some hundred statements to plan and execute. They would delay the first answers of a process that starts. */
const firstAfterMs = 5_000
/** With batches of up to 1,000 rows and this pause, deleting a million rows takes a few minutes. */
const batchesPerPass = 10
const pauseMs = 1000
/** While a large backlog is being removed, progress is logged after this many passes, about once a minute. */
const passesPerReport = 50

export function makeSweeper(deps: SweeperDeps): RepeatedTask {
  let stopping = new AbortController()
  const repeated = repeatTask({ ...deps, what: 'sweep', everyMs, firstAfterMs, act: () => sweepAll(deps, stopping.signal) })
  return {
    start() {
      stopping = new AbortController()
      repeated.start()
    },
    look: () => repeated.look(),
    stop() {
      stopping.abort()
      return repeated.stop()
    },
  }
}

/** Repeats passes until one leaves nothing behind. */
async function sweepAll(deps: SweeperDeps, signal: AbortSignal): Promise<void> {
  let rows: Partial<Record<SweptKind, number>> = {}
  const report = () => {
    if (Object.keys(rows).length > 0) deps.log.info({ rows }, 'expired rows removed')
    rows = {}
  }
  const onSwept: SweeperDeps['onSwept'] = (swept) => {
    rows[swept.kind] = (rows[swept.kind] ?? 0) + swept.rows
    deps.onSwept?.(swept)
  }
  for (let passes = 1; await sweep({ ...deps, onSwept }, signal); passes += 1) {
    if (passes % passesPerReport === 0) report()
    await deps.clock.sleep(pauseMs, signal)
  }
  report()
}

/** One pass. True when it has left something behind. */
export async function sweep(deps: SweeperDeps, signal?: AbortSignal): Promise<boolean> {
  let hasMore = false
  for (const each of sweepsOf(deps)) {
    try {
      hasMore = (await sweepSome(deps, each, signal)) || hasMore
    } catch (error) {
      deps.log.error({ err: error, kind: each.kind }, 'sweep failed; retrying later')
    }
  }
  return hasMore && !signal?.aborted
}

async function sweepSome(deps: SweeperDeps, { kind, removeBatch }: Sweep, signal?: AbortSignal): Promise<boolean> {
  for (let batches = 0; batches < batchesPerPass; batches += 1) {
    if (signal?.aborted) return false
    const { rows, hasMore } = await removeBatch()
    if (rows > 0) deps.onSwept?.({ kind, rows })
    if (!hasMore) return false
  }
  return true
}

function sweepsOf(deps: SweeperDeps): Sweep[] {
  const { db } = deps
  const replacedBefore = new Date(deps.clock.now().getTime() - pastKeptMs)
  return [
    ...resultSweeps(deps),
    ...historySweeps(deps),
    ...retentionSweeps(deps),
    sweepOf('reference_versions', (batchSize) => pruneReferenceHistory(db, { replacedBefore, batchSize })),
    sweepOf('chat_versions', (batchSize) => pruneChatHistory(db, { replacedBefore, batchSize })),
    sweepOf('automation_versions', (batchSize) => pruneAutomationHistory(db, { replacedBefore, batchSize })),
    ...trashSweeps(deps),
    sweepOf('sessions', (batchSize) => deleteExpiredSessions(deps, batchSize)),
    ...linkSweeps(deps),
    signInBudgetSweep(deps),
    apiBudgetSweep(deps),
    keptListSweep(deps),
    idempotentAnswerSweep(deps),
    ...webhookSweeps(deps),
    notificationSweep(deps),
    measureSweep(deps),
    ...reportSweeps(deps),
    slackQuestionSweep(deps),
    ...auditLogSweeps(deps),
  ]
}
