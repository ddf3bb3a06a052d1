import { sweepAuditLog } from '../domain/audit/sweep-audit-log.ts'
import { sweepNotifications } from '../domain/notifications/sweep-notifications.ts'
import { historyKeptMs } from '../domain/pagination/cursor.ts'
import { deleteExpiredSessions } from '../domain/people/sessions.ts'
import { sweepLinks } from '../domain/people/sweep-links.ts'
import { sweepSignInBudgets } from '../domain/people/sweep-sign-in-budgets.ts'
import { sweepWebhooks } from '../domain/webhooks/sweep-webhooks.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { ResultStore } from '../results/result-store.ts'
import type { Db } from '../store/db.ts'
import { pruneReferenceHistory } from '../store/references/prune-history.ts'
import { findExpiredResults, markResultsRemoved } from '../store/runs/expired-results.ts'
import { keepDoing, type Repeated } from '../work/repeat.ts'

export interface SweeperDeps {
  db: Db
  clock: Clock
  log: Log
  results: ResultStore
  resultLifetimeMs: number
  auditLogKeptMs: number
}

const everyMs = 10 * 60_000
/** More than the promise: clocks of several machines differ, and a transaction may be committed long after its timestamp. */
const marginMs = 24 * 3600_000
/** A client that was told a result lives may still be about to read it. */
const resultGraceMs = 60_000

/**
 * Removes what nobody can ask for any more: expired results, old versions of references, ended sessions and links, old webhooks,
 * notifications and records.
 */
export function makeSweeper(deps: SweeperDeps): Repeated {
  return keepDoing({ ...deps, what: 'sweep', everyMs, act: () => sweep(deps) })
}

export async function sweep(deps: SweeperDeps): Promise<void> {
  const now = deps.clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  // A bucket that is away keeps nothing else from being removed.
  await sweepResults(deps, now).catch((error: unknown) =>
    deps.log.error({ err: error }, 'failed to remove results; trying again'),
  )
  while ((await pruneReferenceHistory(deps.db, { replacedBefore: ago(historyKeptMs + marginMs) })) > 0);
  await deleteExpiredSessions(deps)
  await sweepLinks(deps)
  await sweepSignInBudgets(deps)
  await sweepWebhooks(deps)
  await sweepNotifications(deps)
  await sweepAuditLog(deps)
}

async function sweepResults(deps: SweeperDeps, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const completedBefore = ago(deps.resultLifetimeMs + resultGraceMs)
  for (;;) {
    const runIds = await findExpiredResults(deps.db, { completedBefore, count: 100 })
    if (runIds.length === 0) break
    for (const runId of runIds) await deps.results.remove(runId)
    await markResultsRemoved(deps.db, { runIds, now })
  }
  await deps.results.sweep({ writtenBefore: ago(deps.resultLifetimeMs + marginMs) })
}
