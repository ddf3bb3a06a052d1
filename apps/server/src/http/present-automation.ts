import type { BacktestAnswer } from '../domain/automations/backtests/backtest.ts'
import { presentFill } from './present-history.ts'
import type { DigestBacktest } from '../domain/automations/backtests/digest-backtest.ts'
import type { ModelBacktest } from '../domain/automations/backtests/model-backtest.ts'
import type { AutomationInFull } from '../model/automation.ts'
import type { ListedAlertChange } from '../store/automations/alert-states.ts'
import { chatUrlOf } from './present-agent-run.ts'

export function presentAutomation(automation: AutomationInFull, options: { baseUrl: string }) {
  const { organizationId: _, nextDueAt, createdAt, updatedAt, latestRun, alertState, snoozedUntil, ...rest } = automation
  return {
    ...rest,
    alertState: alertState && {
      status: alertState.status,
      severity: alertState.severity,
      since: alertState.since,
      finding: alertState.finding,
    },
    snoozedUntil: snoozedUntil?.toISOString() ?? null,
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

export const presentBacktest = ({ from, to, firings, points, fill, ...rest }: BacktestAnswer) => ({
  ...rest,
  from: from?.toISOString() ?? null,
  to: to?.toISOString() ?? null,
  fill: fill && presentFill(fill),
  firings: firings.map((firing) => ({ ...firing, from: firing.from.toISOString(), to: firing.to?.toISOString() ?? null })),
  points: points.map(({ at, ...point }) => ({ ...point, at: at.toISOString() })),
})

export const presentDigestBacktest = ({ summaries, count, nextBefore }: DigestBacktest) => ({
  summaries: summaries.map(({ at, ...summary }) => ({ ...summary, at: at.toISOString() })),
  count,
  nextBefore: nextBefore?.toISOString() ?? null,
})

export const presentModelBacktest = ({ times, ...rest }: ModelBacktest) => ({ ...rest, times: times.map((at) => at.toISOString()) })

export const presentAlertChange = ({ at, announcedAt, rows, ...change }: ListedAlertChange) => ({
  ...change,
  at: at.toISOString(),
  newRowCount: rows?.count ?? null,
  announcedAt: announcedAt?.toISOString() ?? null,
})
