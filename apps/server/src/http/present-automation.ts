import type { AutomationInFull } from '../model/automation.ts'
import { chatUrlOf } from './present-agent-run.ts'

export function presentAutomation(automation: AutomationInFull, options: { baseUrl: string }) {
  const { organizationId: _, nextDueAt, createdAt, updatedAt, latestRun, ...rest } = automation
  return {
    ...rest,
    nextDueAt: nextDueAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    latestRun: latestRun && {
      id: latestRun.id,
      status: latestRun.status,
      isStopped: latestRun.isStopped,
      requestedAt: latestRun.requestedAt.toISOString(),
      endedAt: latestRun.endedAt?.toISOString() ?? null,
      chatUrl: chatUrlOf(latestRun.chatShortId, options),
    },
  }
}
