import { workStoreConformance } from '@querypost/server/testing/suites'
import { makeChance } from '../chance.ts'
import { insertAgentRun } from './memory-agent-runs.ts'
import { insertEmail } from './memory-emails.ts'
import { makeMemoryRows } from './memory-rows.ts'
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
    return {
      ...work,
      emails: work.emails,
      setTime(now) {
        tables.now = now
        rows.now = now
      },
      async addRun() {
        return insertRun(tables, random, { organizationId, queryId: `query_${count++}`, databaseId: 'adb_a', triggerId: userId })!.id
      },
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
      async clear() {
        tables.clear()
        rows.deliveries.clear()
      },
      async close() {},
    }
  },
})
