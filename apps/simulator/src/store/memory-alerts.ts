import type { AlertDecision, AlertEvidence, AlertWork, DecideLocked } from '@querypost/server/background-work'
import type { MemoryAlert, MemoryRun, MemoryWork, WorkRules } from './memory-work.ts'

export type WaitingAlert = Pick<MemoryAlert, 'id' | 'organizationId' | 'state'> & { runId: string }

export interface MemoryAlerts extends Omit<AlertWork<WaitingAlert>, 'observe'> {
  /** The second step of a broken store that takes two. */
  finishStep(): void
  hasLeftOver(): boolean
}

/** Alerts in memory. Deciding about one and writing its state, its change, its message and its event is one step. */
export function makeMemoryAlerts({ work, rules }: { work: MemoryWork; rules: WorkRules }): MemoryAlerts {
  let leftOver: (() => void)[] = []

  function decideAbout(alert: MemoryAlert, decide: DecideLocked, state = alert.state): AlertDecision {
    const { snoozedUntil, limit } = alert
    const decision = decide({ state, snoozedUntil, now: rules.nowOf(work, 'alerts'), condition: conditionOf(limit) })
    work.write('alerts', alert, { state: decision.state, announceAt: decision.announceAt })
    const { change, message } = decision
    const { number } = decision.state
    const key = { id: `${alert.id} ${work.alertChanges.size} ${work.alertMessages.size}`, alertId: alert.id, number }
    if (change) work.insert('alertChanges', { ...key, status: change.status, runId: change.runId })
    const announce = () => {
      if (message) work.insert('alertMessages', { ...key, kind: message.kind })
      if (message?.kind === 'fired' || message?.kind === 'resolved') work.insert('alertEvents', { ...key, kind: message.kind })
    }
    if (rules.isAlertAnnouncedWithItsChange) announce()
    else leftOver.push(announce)
    return decision
  }

  return {
    async readWaiting({ afterId, count }) {
      const waiting = [...work.alerts.values()]
        .filter(({ id, unjudgedRunId }) => unjudgedRunId !== null && id > afterId)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, count)
      const read = waiting.map(({ id, organizationId, unjudgedRunId, state }) => ({ id, organizationId, state, runId: unjudgedRunId! }))
      if (rules.isAlertResultTakenWhenRead) for (const alert of waiting) work.write('alerts', alert, { unjudgedRunId: null, unjudgedSince: null })
      return read
    },
    async clear({ id, runId }) {
      const alert = work.alerts.get(id)!
      if (alert.unjudgedRunId === runId) work.write('alerts', alert, { unjudgedRunId: null, unjudgedSince: null })
    },
    async record({ id, runId, state }, _: AlertEvidence, decide) {
      const alert = work.alerts.get(id)!
      if (!rules.isAlertResultTakenWhenRead && rules.isAlertLocked && alert.unjudgedRunId !== runId) return undefined
      work.write('alerts', alert, { unjudgedRunId: null, unjudgedSince: null, judgedRunId: runId })
      return decideAbout(alert, decide, rules.isAlertLocked ? alert.state : state)
    },
    async readToAnnounce({ count }) {
      return [...work.alerts.values()]
        .filter((alert) => rules.areQuietTimesEnded && isMessageDue(alert))
        .slice(0, count)
        .map(({ id: automationId, organizationId }) => ({ automationId, organizationId }))
    },
    async announce({ automationId }, decide) {
      const alert = work.alerts.get(automationId)!
      return isMessageDue(alert) ? decideAbout(alert, decide) : undefined
    },
    hasLeftOver: () => leftOver.length > 0,
    finishStep() {
      const taken = leftOver
      leftOver = []
      for (const step of taken) step()
    },
  }

  function isMessageDue({ announceAt }: MemoryAlert): boolean {
    return announceAt !== null && announceAt <= rules.nowOf(work, 'alerts')
  }
}

const conditionOf = (limit: number) => ({
  tests: [{ kind: 'threshold' as const, comparison: '>' as const, number: limit, severity: 'warning' as const }],
  muteWindows: [],
})

/** Leaves the end of a run with the alerts that watch its query. Only the latest one waits. */
export function notifyAlerts(work: MemoryWork, rules: WorkRules, { id, queryId, status }: MemoryRun): void {
  if (status === 'failed' && !rules.areAlertsNotifiedOfFailures) return
  for (const alert of work.alerts.values()) {
    if (alert.queryId === queryId) work.write('alerts', alert, { unjudgedRunId: id, unjudgedSince: work.now })
  }
}

/** A waiting message is decided again. */
export function snooze(work: MemoryWork, alert: MemoryAlert, until: Date | null): void {
  work.write('alerts', alert, { snoozedUntil: until, announceAt: alert.announceAt && work.now })
}
