import type { Random } from '@querypost/server/ports'
import type { ArchiveJobStore, EmailStore, FeedStore, HistoryFillStore, ReportDeliveryStore, ReportJobStore } from '@querypost/server/background-work'
import { makeMemoryAlerts, type MemoryAlerts } from './memory-alerts.ts'
import { makeMemoryArchiveJobStore } from './memory-archive-jobs.ts'
import { insertEmail, makeMemoryEmailStore } from './memory-emails.ts'
import { makeMemoryAgentRunStore, type MemoryAgentRuns } from './memory-agent-runs.ts'
import { publishInto } from './memory-deliveries.ts'
import { makeMemoryFeedStore } from './memory-feeds.ts'
import { makeMemoryFillStore } from './memory-fills.ts'
import { makeMemoryDueTimes, type MemoryDueTimes } from './memory-due-times.ts'
import type { MemoryRows } from './memory-rows.ts'
import { makeMemoryReportDeliveryStore, makeMemoryReportJobStore } from './memory-reports.ts'
import { makeMemorySlackQuestionStore, type MemorySlackQuestions } from './memory-slack-questions.ts'
import { makeMemoryRunStore, type MemoryRunStore } from './memory-runs.ts'
import { makeMemoryWork, type MemoryWork, type WorkRules } from './memory-work.ts'
import { soundWorkRules } from './sound-work-rules.ts'

/** The stores of all kinds of work other than deliveries, in memory, sharing the rows of deliveries. */
export interface WorkInWorld {
  tables: MemoryWork
  runs: MemoryRunStore
  agentRuns: MemoryAgentRuns
  emails: EmailStore
  dueTimes: MemoryDueTimes
  reportJobs: ReportJobStore
  reportDeliveries: ReportDeliveryStore
  slackQuestions: MemorySlackQuestions
  archiveJobs: ArchiveJobStore
  feeds: FeedStore
  fills: HistoryFillStore
  alerts: MemoryAlerts
}

export function memoryWork(options: { rows: MemoryRows; random: Random; rules?: Partial<WorkRules> | undefined }): WorkInWorld {
  const { rows, random } = options
  const rules = { ...soundWorkRules, ...options.rules }
  const tables = makeMemoryWork()
  const { notify } = rows
  // Every notification is also an entry in the e-mail queue.
  rows.notify = (notification) => {
    notify(notification)
    const { id, kind, userId, endpointId } = notification
    const { organizationId } = rows.endpoints.get(endpointId)!
    insertEmail(tables, random, { id, organizationId, userId, kind, message: `${endpointId} fails.` })
  }
  return {
    tables,
    runs: makeMemoryRunStore({ work: tables, rules }),
    agentRuns: makeMemoryAgentRunStore({ work: tables, rules, random, publish: publishInto(rows, random) }),
    emails: makeMemoryEmailStore({ work: tables, rules }),
    dueTimes: makeMemoryDueTimes({ work: tables, rules, random }),
    reportJobs: makeMemoryReportJobStore({ work: tables, rules }),
    reportDeliveries: makeMemoryReportDeliveryStore({ work: tables, rules }),
    slackQuestions: makeMemorySlackQuestionStore({ work: tables, rules, random }),
    archiveJobs: makeMemoryArchiveJobStore({ work: tables, rules }),
    feeds: makeMemoryFeedStore({ work: tables, rules }),
    fills: makeMemoryFillStore({ work: tables, rules }),
    alerts: makeMemoryAlerts({ work: tables, rules }),
  }
}
