import { nextDueAt } from '@querypost/server/background-work'
import type { Chance } from '../chance.ts'
import type { Coverage } from '../coverage.ts'
import { insertAgentRun, isAutomationBusy, type MemoryAgentRuns } from '../store/memory-agent-runs.ts'
import { snooze } from '../store/memory-alerts.ts'
import { insertEmail } from '../store/memory-emails.ts'
import { insertReportJob } from '../store/memory-reports.ts'
import { insertSlackQuestion } from '../store/memory-slack-questions.ts'
import { startFill, stopFill } from '../store/memory-fills.ts'
import { insertRunInputs } from '../store/memory-run-inputs.ts'
import { insertRun, stopRun } from '../store/memory-runs.ts'
import type { MemoryAutomation, MemoryRun, MemoryWork } from '../store/memory-work.ts'
import { worldBeganAt } from './machine.ts'
import type { Observatory } from './observatory.ts'
import type { Scheduler } from './scheduler.ts'
import type { Automation, ReportDeed, WorkDeed, WorkPlan } from './work-plan.ts'

/** People who request runs, ask questions, stop both, delete chats, and pause and resume schedules. They can always reach the store. */
export function makeWorkPeople(options: {
  plan: WorkPlan
  tables: MemoryWork
  agentRuns: MemoryAgentRuns
  scheduler: Scheduler
  chance: Chance
  coverage: Coverage
  observatory: Observatory
  setTime(now: Date): void
  wake(): void
}) {
  const { plan, tables, scheduler, chance, coverage } = options
  const now = () => new Date(worldBeganAt + scheduler.nowMs())

  function setSchedule(automation: MemoryAutomation, isOn: boolean) {
    const nextAt = isOn ? nextDueAt(automation, tables.now) : null
    if (automation.nextDueAt?.getTime() !== nextAt?.getTime()) tables.write('automations', automation, { nextDueAt: nextAt })
  }

  /** False if there was nothing to do. */
  function act({ kind, index }: WorkDeed): boolean {
    switch (kind) {
      case 'request a run': {
        const query = byIndex(plan.queries, index)!
        return insertRun(tables, chance, { ...query, queryId: query.id, triggerId: 'user_x' }) !== undefined
      }
      case 'stop a run': {
        const run = byIndex([...tables.unfinishedRuns], index)
        if (run) stopRun(tables, run.id, 'user_y')
        return run !== undefined
      }
      case 'request an agent run': {
        const automation = byIndex(plan.automations, index)
        if (!automation || isAutomationBusy(tables, automation.id)) return false
        const { organizationId, id: automationId } = automation
        insertAgentRun(tables, chance, { organizationId, automationId, userId: 'user_x', trigger: 'person', triggerId: 'user_x' })
        return true
      }
      case 'ask a question': {
        const organizationId = plan.queries[0]!.organizationId
        insertAgentRun(tables, chance, { organizationId, automationId: null, userId: 'user_x', trigger: 'question', triggerId: 'user_x' })
        return true
      }
      case 'stop an agent run': {
        const run = byIndex([...tables.unfinishedAgentRuns], index)
        if (run) options.agentRuns.stop(run.id, 'user_y')
        return run !== undefined
      }
      case 'delete a chat': {
        const answers = [...tables.agentRuns.values()].filter(({ automationId, isChatDeleted }) => automationId === null && !isChatDeleted)
        // Usually while the agent is working.
        const run = byIndex([...tables.unfinishedAgentRuns].filter((each) => answers.includes(each)), index) ?? byIndex(answers, index)
        if (run) options.agentRuns.deleteChat(run.id)
        return run !== undefined
      }
      case 'pause a schedule':
      case 'resume a schedule': {
        const automation = byIndex(plan.automations, index)
        const row = automation && tables.automations.get(automation.id)!
        if (!row || automation.everyMinutes === 0 || scheduler.nowMs() >= automation.pausedMs) return false
        setSchedule(row, kind === 'resume a schedule')
        return true
      }
      case 'notify somebody': {
        const organizationId = plan.queries[0]!.organizationId
        insertEmail(tables, chance, { organizationId, userId: 'user_z', kind: 'endpoint_failing', message: 'Your endpoint fails.' })
        return true
      }
      case 'read a notification': {
        const email = byIndex([...tables.emails.values()], index)
        if (email && !email.isRead) tables.write('emails', email, { isRead: true })
        return email !== undefined
      }
    }
  }

  /** False if there was nothing to do. */
  function actOnReport({ kind, index }: ReportDeed): boolean {
    if (kind === 'send a report') {
      const { id: reportId, organizationId } = byIndex(plan.reports, index)!
      insertReportJob(tables, chance, { reportId, organizationId })
      return true
    }
    const subscriber = byIndex([...tables.subscribers.values()], index)!
    const isDone = kind === 'unsubscribe' ? subscriber.hasUnsubscribed : subscriber.isConfirmed
    if (isDone) return false
    tables.write('subscribers', subscriber, kind === 'unsubscribe' ? { hasUnsubscribed: true } : { isConfirmed: true })
    return true
  }

  /** Chooses the results of the queries that another one reads, and requests its run. It reads those that follow each other in the plan. */
  function requestReadingRun({ index, inputCount, mayBeStored }: WorkPlan['readingRuns'][number]): boolean {
    const reader = `reader_${index % plan.queries.length}`
    if ([...tables.unfinishedRuns].some(({ queryId }) => queryId === reader)) return false
    const count = Math.min(inputCount, plan.queries.length)
    const inputs = Array.from({ length: count }, (_, place) => findOrRequest(byIndex(plan.queries, index + place)!, mayBeStored))
    const { organizationId } = byIndex(plan.queries, index)!
    const run = insertRun(tables, chance, { organizationId, queryId: reader, databaseId: 'adb_readers', triggerId: 'user_x' })!
    insertRunInputs(tables, run, inputs)
    return true
  }

  function findOrRequest(query: WorkPlan['queries'][number], mayBeStored: boolean): MemoryRun {
    const runs = [...tables.runs.values()].filter(({ queryId }) => queryId === query.id)
    const stored = mayBeStored ? runs.findLast(({ status }) => status === 'completed') : undefined
    return stored ?? insertRun(tables, chance, { ...query, queryId: query.id, triggerId: 'user_x' }) ?? runs.at(-1)!
  }

  async function does(deed: string, act: () => boolean) {
    options.setTime(now())
    if (!act()) return
    coverage.count(`person: ${deed}`)
    // With a broken store that ends a run in two steps, the person also does the second.
    if (options.agentRuns.hasLeftOver()) options.agentRuns.publishLeftOver()
    await options.observatory.look({ by: 'person', deed, endpointId: '' })
    options.wake()
  }

  function addAutomation({ id, organizationId, createdBy, everyMinutes }: Automation) {
    const cron = everyMinutes === 60 ? '0 * * * *' : `*/${everyMinutes || 5} * * * *`
    const automation: MemoryAutomation = { id, organizationId, name: id, createdBy, cron, timeZone: 'UTC', nextDueAt: null }
    tables.insert('automations', automation)
    if (everyMinutes > 0) setSchedule(automation, true)
  }

  return {
    async begin() {
      await does('create automations', () => {
        for (const automation of plan.automations) addAutomation(automation)
        return plan.automations.length > 0
      })
      if (plan.reports.length > 0) {
        await does('set up reports', () => {
          for (const { email, isMember, isConfirmed } of plan.reports.flatMap(({ recipients }) => recipients)) {
            tables.insert('subscribers', { id: email, isMember, isConfirmed, hasUnsubscribed: false })
          }
          return true
        })
      }
      if (plan.alerts.length > 0) {
        await does('set up alerts', () => {
          const unjudged = { unjudgedRunId: null, unjudgedSince: null, judgedRunId: null, state: null }
          for (const alert of plan.alerts) tables.insert('alerts', { ...alert, ...unjudged, snoozedUntil: null, announceAt: null })
          return true
        })
      }
      for (const { atMs, index, forMs } of plan.snoozes) {
        scheduler.at(atMs, () =>
          does(forMs > 0 ? 'snooze an alert' : 'end a snooze', () => {
            const alert = tables.alerts.get(byIndex(plan.alerts, index)!.id)!
            snooze(tables, alert, forMs > 0 ? new Date(tables.now.getTime() + forMs) : null)
            return true
          }),
        )
      }
      for (const { atMs, index } of plan.watchedRuns) {
        scheduler.at(atMs, () =>
          does('request a watched run', () => {
            const query = plan.queries.find(({ id }) => id === byIndex(plan.alerts, index)!.queryId)!
            return insertRun(tables, chance, { ...query, queryId: query.id, triggerId: 'user_x' }) !== undefined
          }),
        )
      }
      for (const request of plan.readingRuns) scheduler.at(request.atMs, () => does('request a run that reads others', () => requestReadingRun(request)))
      for (const { atMs, index, dayCount } of plan.fills) {
        const { id: referenceId, organizationId } = byIndex(plan.queries, index)!
        scheduler.at(atMs, () =>
          dayCount > 0
            ? does('fill a history', () => startFill(tables, { organizationId, referenceId, dayCount }))
            : does('stop filling a history', () => stopFill(tables, referenceId)),
        )
      }
      for (const deed of plan.reportDeeds) scheduler.at(deed.atMs, () => does(deed.kind, () => actOnReport(deed)))
      for (const { atMs, ...question } of plan.slackQuestions) {
        const ask = () => insertSlackQuestion(tables, chance, question) !== ''
        scheduler.at(atMs, () => does('ask a question in Slack', ask))
      }
      for (const deed of plan.deeds) scheduler.at(deed.atMs, () => does(deed.kind, () => act(deed)))
      for (const { id, pausedMs, everyMinutes } of plan.automations) {
        const pause = () => {
          setSchedule(tables.automations.get(id)!, false)
          return true
        }
        if (everyMinutes > 0) scheduler.at(pausedMs, () => does('end a schedule', pause))
      }
    },
    lastMs: Math.max(0, ...[...plan.deeds, ...plan.reportDeeds, ...plan.slackQuestions, ...plan.snoozes, ...plan.watchedRuns, ...plan.readingRuns, ...plan.fills].map(({ atMs }) => atMs), ...plan.automations.map(({ pausedMs }) => pausedMs)),
  }
}

const byIndex = <Value>(values: readonly Value[], index: number): Value | undefined => values[index % Math.max(1, values.length)]
