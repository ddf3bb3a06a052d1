import { emailTooOldMs } from '@querypost/server/background-work'
import type { ObservedWork } from '../world/observed-work.ts'

/** E-mails are abandoned after a day; everything else ends long before. */
export function workDrainedWithinMs(work: ObservedWork): number {
  const perRunMs = (work.plan.runTimeoutSeconds + work.plan.agentTimeoutSeconds) * 1000 + 60_000
  return emailTooOldMs + 4 * 3600_000 + perRunMs * (work.runs.size + work.agentRuns.size)
}

export function isWorkDrained({ tables }: ObservedWork): boolean {
  if (tables.unfinishedRuns.size > 0 || tables.unfinishedAgentRuns.size > 0) return false
  for (const { nextDueAt } of tables.automations.values()) if (nextDueAt) return false
  for (const { state } of tables.emails.values()) if (state === 'due') return false
  for (const { state } of [...tables.reportJobs.values(), ...tables.reportDeliveries.values()]) if (state === 'due') return false
  for (const { state } of tables.slackQuestions.values()) if (state === 'due' || state === 'waiting') return false
  for (const { state } of tables.archiveJobs.values()) if (state === 'due') return false
  for (const { state } of tables.fills.values()) if (state === 'due') return false
  for (const { isTaken } of tables.feedResults.values()) if (!isTaken) return false
  for (const { unjudgedRunId, announceAt } of tables.alerts.values()) if (unjudgedRunId !== null || announceAt) return false
  return true
}
