import type { Coverage } from '../coverage.ts'
import type { WorkChange } from '../store/memory-work.ts'
import type { Cause } from './observed.ts'
import type { ObservedItem, ObservedWork } from './observed-work.ts'

/** Updates the observed runs, agent runs, e-mails, reports and kept results with a commit: lease holders, and what ended. */
export function takeWork(
  work: ObservedWork,
  change: WorkChange,
  { cause, nowMs, coverage }: { cause: Cause; nowMs: number; coverage: Coverage },
): void {
  switch (change.table) {
    case 'runs':
    case 'agentRuns':
      return takeItem(work, change, { cause, nowMs, coverage })
    case 'emails':
    case 'reportDeliveries':
    case 'slackQuestions':
      return takeLetter(work, change, { cause, nowMs, coverage })
    case 'reportJobs': {
      const { before, after } = change
      if (before && before.state !== after.state) coverage.count(`report: ${before.state} → ${after.state}`)
      return undefined
    }
    case 'archiveJobs': {
      const { before, after } = change
      if (before && before.state !== after.state) coverage.count(`kept result: ${before.state} → ${after.state}`)
      if (before && after.attemptCount > Math.max(1, before.attemptCount)) coverage.count('kept result: attempted again')
      return undefined
    }
    case 'fills': {
      const { before, after } = change
      if (before && before.state !== after.state) coverage.count(`history fill: ${before.state} → ${after.state}`)
      if (before && after.attemptCount > Math.max(1, before.attemptCount)) coverage.count('history fill: attempted again')
      return undefined
    }
    case 'filledDays':
      return coverage.count('history fill: day filled')
    case 'feedChanges':
      return coverage.count('change feed: change numbered')
    case 'alertMessages':
      return coverage.count(`alert: message ${change.after.kind}`)
    case 'runInputs': {
      const { before, after } = change
      if (before && before.status !== after.status) coverage.count(`run input: ${before.status} → ${after.status}`)
      return undefined
    }
    case 'alerts':
    case 'alertChanges':
    case 'alertEvents':
    case 'feeds':
    case 'feedResults':
    case 'feedEvents':
    case 'keptResults':
    case 'automations':
    case 'subscribers':
    case 'events':
      return undefined
  }
}

function takeItem(
  work: ObservedWork,
  { table, before, after }: Extract<WorkChange, { table: 'runs' | 'agentRuns' }>,
  { cause, nowMs, coverage }: { cause: Cause; nowMs: number; coverage: Coverage },
) {
  const items = work[table]
  const name = table === 'runs' ? 'run' : 'agent run'
  const item: ObservedItem = items.get(after.id) ?? {
    requestedMs: nowMs,
    holder: undefined,
    stopRequestedMs: undefined,
    endedMs: undefined,
  }
  items.set(after.id, item)
  if (before && before.status !== after.status) coverage.count(`${name}: ${before.status} → ${after.status}`)
  const isClaimed = before && after.leaseNumber > before.leaseNumber && after.status === 'running'
  if (isClaimed && cause.by === 'worker') {
    const { machine } = cause
    work.machineOf.set(after.leaseOwner!, machine)
    item.holder = { machine, atMs: nowMs, renewedMs: nowMs, leaseNumber: after.leaseNumber, interruptedMs: undefined }
  } else if (after.status !== 'running') item.holder = undefined
  else if (item.holder && before?.leaseExpiresAt?.getTime() !== after.leaseExpiresAt?.getTime()) item.holder.renewedMs = nowMs
  if (after.stopRequestedBy !== null) item.stopRequestedMs ??= nowMs
  if (after.status !== 'pending' && after.status !== 'running') item.endedMs ??= nowMs
}

const letterNames = { emails: 'e-mail', reportDeliveries: 'report delivery', slackQuestions: 'Slack question' } as const

function takeLetter(
  work: ObservedWork,
  { table, before, after }: Extract<WorkChange, { table: keyof typeof letterNames }>,
  { cause, nowMs, coverage }: { cause: Cause; nowMs: number; coverage: Coverage },
) {
  const name = letterNames[table]
  if (before && before.state !== after.state) coverage.count(`${name}: ${before.state} → ${after.state ?? 'let go'}`)
  const claim = work.emailClaims.get(after.id)
  if (claim && cause.by === 'worker' && cause.call === `${table}.record`) claim.isRecorded = true
  if (!before || after.leaseNumber === before.leaseNumber || cause.by !== 'worker') return
  const { attemptCount: attemptNumber } = after
  if (attemptNumber > 1) coverage.count(`${name}: attempted again`)
  work.emailClaims.set(after.id, { machine: cause.machine, atMs: nowMs, attemptNumber, isRecorded: false })
}

export function lineOfWork({ table, before, after }: WorkChange): string {
  const changed = Object.entries(after).filter(([key, value]) => !before || !isSame(value, before[key as keyof typeof before]))
  return `${table} ${after.id}: ${changed.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(', ')}`
}

const isSame = (a: unknown, b: unknown) => a === b || (a instanceof Date && b instanceof Date && a.getTime() === b.getTime())
