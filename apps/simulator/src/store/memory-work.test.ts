import { workStoreConformance } from '@querypost/server/testing/suites'
import { makeChance } from '../chance.ts'
import { queueFeedResult } from './feed-queue.ts'
import { insertAgentRun } from './memory-agent-runs.ts'
import { insertEmail } from './memory-emails.ts'
import { makeMemoryRows } from './memory-rows.ts'
import { insertReportJob } from './memory-reports.ts'
import { insertSlackQuestion } from './memory-slack-questions.ts'
import { startFill, stopFill } from './memory-fills.ts'
import { inputsOf, insertRunInputs } from './memory-run-inputs.ts'
import { insertRun, stopRun } from './memory-runs.ts'
import { memoryWork } from './work-in-world.ts'

workStoreConformance({
  name: 'the memory store of background work',
  async open() {
    const random = makeChance('work stores')
    const rows = makeMemoryRows()
    const work = memoryWork({ rows, random })
    const { tables } = work
    const organizationId = 'org_a'
    const userId = 'user_a'
    rows.endpoints.set('we_a', {
      id: 'we_a',
      organizationId,
      url: 'https://hooks.example/',
      secret: new Uint8Array(32),
      createdBy: userId,
      now: new Date(0),
      state: 'enabled',
      consecutiveFailures: 0,
      isDeleted: false,
    })
    let count = 0
    async function addArchiveJob() {
      const id = `run_kept_${count++}`
      tables.insert('archiveJobs', { id, organizationId, state: 'due', nextAttemptAt: tables.now, attemptCount: 0, leaseNumber: 0 })
      return id
    }
    return {
      ...work,
      emails: work.emails,
      setTime(now) {
        tables.now = now
        rows.now = now
      },
      async addRun(inputRunIds = []) {
        const run = insertRun(tables, random, { organizationId, queryId: `query_${count++}`, databaseId: 'adb_a', triggerId: userId })!
        insertRunInputs(tables, run, inputRunIds.map((id) => tables.runs.get(id)!))
        return run.id
      },
      runInputRows: async (runId) => inputsOf(tables, runId).map(({ inputRunId, status, resultHash }) => ({ inputRunId, status, resultHash })),
      stopRun: async (runId) => stopRun(tables, runId, userId),
      async runRow(runId) {
        const { status, failureReason, resultHash } = tables.runs.get(runId)!
        return { status, failureReason, resultHash }
      },
      async addAutomation({ cron, nextDueAt }) {
        const id = `automation_${count++}`
        tables.insert('automations', { id, organizationId, name: id, createdBy: userId, cron, timeZone: 'UTC', nextDueAt })
        return id
      },
      nextDueAt: async (automationId) => tables.automations.get(automationId)!.nextDueAt,
      async addAgentRun(automationId) {
        return insertAgentRun(tables, random, { organizationId, automationId, userId, trigger: 'person', triggerId: userId }).id
      },
      stopAgentRun: async (runId) => work.agentRuns.stop(runId, userId),
      async addQuestion() {
        return insertAgentRun(tables, random, { organizationId, automationId: null, userId, trigger: 'question', triggerId: userId }).id
      },
      deleteChatOf: async (runId) => work.agentRuns.deleteChat(runId),
      messageCountOf: async (runId) => tables.agentRuns.get(runId)!.messages.length,
      async agentRunRows(automationId) {
        const runs = [...tables.agentRuns.values()].filter((run) => run.automationId === automationId)
        return runs.map(({ id, status, attemptCount, dueAt, missedCount, failureReason, messages, eventId }) => ({
          id,
          status,
          attemptCount,
          dueAt,
          missedCount,
          failureReason,
          lastMessageCount: messages.filter(({ content: { kind } }) => ['summary', 'answer', 'failure'].includes(kind)).length,
          eventType: eventId === null ? null : tables.events.get(eventId)!.type,
        }))
      },
      deliveryCount: async () => rows.deliveries.size,
      async addEmail() {
        const id = `ntf_${count++}`
        insertEmail(tables, random, { id, organizationId, userId, kind: 'run_failed', message: 'It failed.' })
        return id
      },
      async readEmail(id) {
        tables.write('emails', tables.emails.get(id)!, { isRead: true })
      },
      async emailRow(id) {
        const { state, attemptCount, nextAttemptAt } = tables.emails.get(id)!
        return { state, attemptCount, nextAttemptAt }
      },
      addArchiveJob,
      async addFill() {
        const referenceId = `query_${count++}`
        startFill(tables, { organizationId, referenceId, dayCount: 3 })
        return referenceId
      },
      stopFill: async (referenceId) => void stopFill(tables, referenceId),
      async fillRow(referenceId) {
        const { id, state, doneCount, failedCount, attemptCount, nextAttemptAt } = [...tables.fills.values()].find((fill) => fill.referenceId === referenceId)!
        const filledDays = [...tables.filledDays.values()].filter(({ fillId }) => fillId === id).length
        return { state, doneCount, failedCount, attemptCount, nextAttemptAt, filledDays }
      },
      async queueFeedResult(feedId = `query_${count++}`) {
        const runId = await addArchiveJob()
        queueFeedResult(tables, { id: runId, organizationId, queryId: feedId })
        return { feedId, runId }
      },
      async feedRow(feedId) {
        const { attemptCount, nextAttemptAt, head } = tables.feeds.get(feedId)!
        const numbersOf = (all: Iterable<{ feedId: string; number: number }>) => [...all].filter((each) => each.feedId === feedId).map(({ number }) => number)
        const [changes, events] = [numbersOf(tables.feedChanges.values()), numbersOf(tables.feedEvents.values())]
        return { attemptCount, nextAttemptAt, headRunId: head?.runId ?? null, changes, events }
      },
      async archiveJobRow(runId) {
        const { state, attemptCount, nextAttemptAt } = tables.archiveJobs.get(runId)!
        return { state, attemptCount, nextAttemptAt }
      },
      addReportJob: async (of = 'first') => insertReportJob(tables, random, { organizationId: of === 'first' ? organizationId : 'org_second', reportId: 'rep_a' }),
      async reportJobRow(jobId) {
        const { state, attemptCount, nextAttemptAt } = tables.reportJobs.get(jobId)!
        return { state, attemptCount, nextAttemptAt }
      },
      async reportDeliveryRows(jobId) {
        const rows = [...tables.reportDeliveries.values()].filter((delivery) => delivery.jobId === jobId)
        return rows.toSorted((a, b) => (a.recipient < b.recipient ? -1 : 1))
      },
      async setAddress(email, { isConfirmed }) {
        tables.insert('subscribers', { id: email, isMember: false, isConfirmed, hasUnsubscribed: false })
      },
      async unsubscribe(email) {
        tables.write('subscribers', tables.subscribers.get(email)!, { hasUnsubscribed: true })
      },
      addSlackQuestion: async () => insertSlackQuestion(tables, random, { organizationId, isByMember: true }),
      askSlackQuestion: async (question) => work.slackQuestions.ask(question),
      async slackQuestionRow(questionId) {
        const { state, attemptCount, nextAttemptAt, replyTs } = tables.slackQuestions.get(questionId)!
        return { state, attemptCount, nextAttemptAt, replyTs }
      },
      async clear() {
        tables.clear()
        rows.deliveries.clear()
      },
      async close() {},
    }
  },
})
