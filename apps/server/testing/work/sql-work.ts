import { sql } from 'kysely'
import { requestAutomationRun } from '../../src/domain/agent-runs/request-automation-run.ts'
import { makeSqlDueTimes } from '../../src/domain/automations/claim-due-times.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { newId, newShortId, newUuid } from '../../src/domain/ids.ts'
import { insertNotification } from '../../src/store/notifications/insert-notification.ts'
import { addMember, createOrganization, createUser } from '../../src/domain/people/organizations.ts'
import { insertDatabase } from '../../src/store/databases/databases-table.ts'
import { insertQuery } from '../../src/store/queries/queries-table.ts'
import { insertAgentRun } from '../../src/store/agent-runs/insert-agent-run.ts'
import { addMessage } from '../../src/store/chats/add-message.ts'
import { insertChat } from '../../src/store/chats/insert-chat.ts'
import { readMessages } from '../../src/store/chats/read-messages.ts'
import { deleteChat, lockChatWithRuns } from '../../src/store/chats/remove-chats.ts'
import { requestAgentRunStop } from '../../src/store/agent-runs/agent-run-leases.ts'
import { requestStop } from '../../src/store/runs/run-leases.ts'
import { insertRunWithInputs } from '../../src/store/runs/run-inputs.ts'
import { seededRandom } from '../seeded-random.ts'
import { settableClock } from '../deliveries/sql-deliveries.ts'
import { openTestStore, type StoreKind } from '../store/test-store.ts'
import { makeSqlAgentRunStore } from '../../src/workers/agent-run-store.ts'
import type { AgentRunRow, WorkUnderTest } from './work-store-conformance.ts'
import { makeSqlEmailStore } from '../../src/store/notifications/email-store.ts'
import { makeReportLinks } from '../../src/domain/report-links.ts'
import { reportPaceOf } from '../../src/domain/reports/report-pace.ts'
import { insertTestJob } from '../../src/store/reports/insert-report-jobs.ts'
import { insertUnsubscription } from '../../src/store/reports/report-addresses-table.ts'
import { insertReport } from '../../src/store/reports/reports-table.ts'
import { makeSqlReportDeliveryStore, makeSqlReportJobStore } from '../../src/workers/report-stores.ts'
import { insertSlackQuestion } from '../../src/store/slack-questions/accept-slack-event.ts'
import { bindSlackQuestion } from '../../src/store/slack-questions/claim-slack-questions.ts'
import { makeSqlSlackQuestionStore } from '../../src/workers/slack-question-store.ts'
import type { Store, Tx } from '../../src/store/db.ts'
import { makeSqlArchiveJobStore } from '../../src/store/history/archive-jobs.ts'
import { insertFill, makeSqlHistoryFillStore, stopFillOf } from '../../src/store/history/history-fills.ts'
import { lockFeed, queueResults, saveFeed, setNextAttempt } from '../../src/store/history/change-feeds-table.ts'
import { insertReference } from '../../src/store/references/references-table.ts'
import { makeSqlFeedStore } from '../../src/workers/feed-store.ts'
import { makePublishRunEnd } from '../../src/domain/runs/publish-run-end.ts'
import { makeSqlRunStore } from '../../src/store/runs/run-store.ts'

const tables = [
  'slack_questions',
  'archive_jobs',
  'change_feeds',
  'query_references',
  'report_deliveries',
  'report_files',
  'report_downloads',
  'report_contents',
  'report_jobs',
  'report_unsubscriptions',
  'report_addresses',
  'reports',
  'notifications',
  'webhook_deliveries',
  'webhook_events',
  'chat_messages',
  'agent_runs',
  'chat_history',
  'chats',
  'automation_history',
  'automations',
  'runs',
  'queries',
] as const

/** The SQL stores of background work, with one organization, and a second one for reports. */
export const sqlWork = (kind: StoreKind): Promise<WorkUnderTest> => sqlWorkOn((options) => openTestStore(kind, options))

export async function sqlWorkOn(open: (options: { clock: Clock }) => Promise<Store>): Promise<WorkUnderTest> {
  const clock = settableClock()
  const random = seededRandom('work stores')
  const { db, close } = await open({ clock })
  const deps = { db, clock, random, baseUrl: 'https://querypost.test' }
  const reportLinks = makeReportLinks({ secretKey: Buffer.alloc(32), baseUrl: deps.baseUrl })
  const now = clock.now()
  const databaseId = newId(random, 'db')
  const { organizationId, secondOrganizationId, userId } = await db.transaction().execute(async (tx) => {
    const { id } = await createOrganization({ tx, clock, random }, { name: 'Shop' })
    const { id: secondId } = await createOrganization({ tx, clock, random }, { name: 'Bank' })
    const user = await createUser({ tx, clock, random }, { email: 'ada@shop.test', name: 'Ada', passwordHash: 'none' })
    await addMember({ tx, clock }, { organizationId: id, userId: user.id, role: 'admin' })
    return { organizationId: id, secondOrganizationId: secondId, userId: user.id }
  })
  const createdBy = userId
  const chatOf = new Map<string, string>()
  await insertDatabase(db, {
    id: databaseId,
    organizationId,
    name: 'db',
    engine: 'duckdb',
    settings: { file: 'x.duckdb' },
    createdBy,
    createdAt: now,
  })
  await db
    .insertInto('webhook_endpoints')
    .values({
      id: newId(random, 'we'),
      organization_id: organizationId,
      url: 'https://hooks.example/',
      event_types: ['automation.run.completed', 'automation.run.failed', 'reference.changed'],
      state: 'enabled',
      secret: Buffer.alloc(32),
      created_by: createdBy,
      created_at: now,
      updated_at: now,
    })
    .execute()

  const channelId = newId(random, 'chn')
  const channel = { kind: 'slack_bot', name: 'Shop', settings: '{}', sealed_secret: null, created_by: createdBy } as const
  await db.insertInto('channels').values({ ...channel, id: channelId, organization_id: organizationId, created_at: now, updated_at: now }).execute()

  async function insertQuestion(tx: Tx): Promise<{ id: string; chatId: string }> {
    const [id, chatId] = [newId(random, 'arun'), newId(random, 'chat')]
    const asked = { organizationId, trigger: 'question', triggerId: userId, userId, instructions: 'Why?', agent: 'model' } as const
    await insertChat(tx, { id: chatId, organizationId, shortId: chatId.slice(-10), title: 'Why?', createdBy, now: clock.now() })
    await addMessage(tx, { chatId, agentRunId: null, userId, content: { kind: 'question', text: 'Why?' }, now: clock.now() })
    await insertAgentRun(tx, { ...asked, id, chatId, automationId: null, requestedAt: clock.now(), dueAt: null, missedCount: 0 })
    return { id, chatId }
  }

  async function addArchiveJob(): Promise<string> {
    const id = newId(random, 'run')
    await sql`
      insert into archive_jobs (run_id, organization_id, requested_at, next_attempt_at)
      values (${id}, ${organizationId}, ${clock.now()}, ${clock.now()})`.execute(db)
    return id
  }

  /** A new reference that publishes its changes, without a result yet. */
  async function addFeed(): Promise<string> {
    const referenceId = await addReference()
    const settings = { isPublishing: true, chosenKeyColumns: null, keyColumns: null, problem: null, head: null }
    await db.transaction().execute((tx) => saveFeed(tx, { organizationId, referenceId, ...settings }))
    return referenceId
  }

  async function addReference(): Promise<string> {
    const reference = { id: newId(random, 'ref'), shortId: newShortId(random), title: 'Customers', description: null, isOptimistic: true }
    const rest = { organizationId, createdBy, now: clock.now(), queryId: newUuid(deps), visualization: null, parameters: [] }
    await db.transaction().execute((tx) => insertReference(tx, { ...reference, ...rest }))
    return reference.id
  }

  async function addAutomation(schedule?: { cron: string; nextDueAt: Date }): Promise<string> {
    const id = newId(random, 'automation')
    await db
      .insertInto('automations')
      .values({
        id,
        organization_id: organizationId,
        name: 'Weekly revenue',
        instructions: 'Look at revenue.',
        agent: 'digest',
        enabled: true,
        schedule_cron: schedule?.cron ?? null,
        schedule_time_zone: schedule ? 'UTC' : null,
        next_due_at: schedule?.nextDueAt ?? null,
        created_by: createdBy,
        created_at: clock.now(),
        updated_at: clock.now(),
      })
      .execute()
    return id
  }

  return {
    runs: makeSqlRunStore({ ...deps, publishRunEnd: makePublishRunEnd(deps) }),
    agentRuns: makeSqlAgentRunStore(deps),
    emails: makeSqlEmailStore(db),
    dueTimes: makeSqlDueTimes(deps),
    archiveJobs: makeSqlArchiveJobStore({ db }),
    fills: makeSqlHistoryFillStore({ db }),
    feeds: makeSqlFeedStore(deps),
    reportJobs: makeSqlReportJobStore({ ...deps, reportLinks, reportPace: reportPaceOf(20) }),
    reportDeliveries: makeSqlReportDeliveryStore(deps),
    setTime: clock.set,
    async addRun(inputRunIds = []) {
      const query = { id: newUuid(deps), sql: 'select 1', createdBy, organizationId }
      await insertQuery(db, { ...query, analyticalDatabaseConfigId: databaseId, now: clock.now() })
      const inputs = inputRunIds.map((inputRunId) => ({ inputRunId, referenceId: 'ref_a', parameterValues: {} }))
      const added = {
        id: newId(random, 'run'),
        organizationId,
        queryId: query.id,
        triggerId: userId,
        parameterValues: {},
        parameterTypes: {},
        renderedSql: 'select 1',
        runAt: clock.now(),
      }
      return (await insertRunWithInputs(db, added, inputs))!.id
    },
    runInputRows: (runId) =>
      db
        .selectFrom('run_inputs')
        .select(['input_run_id as inputRunId', 'status', 'result_hash as resultHash'])
        .where('run_id', '=', runId)
        .orderBy('position')
        .execute(),
    async stopRun(runId) {
      await requestStop(db, { runId, userId })
    },
    runRow: (runId) =>
      db
        .selectFrom('runs')
        .select(['status', 'failure_reason as failureReason', 'result_hash as resultHash'])
        .where('id', '=', runId)
        .executeTakeFirstOrThrow(),
    addAutomation,
    async nextDueAt(automationId) {
      const row = await db.selectFrom('automations').select('next_due_at').where('id', '=', automationId).executeTakeFirstOrThrow()
      return row.next_due_at
    },
    async addAgentRun(automationId) {
      const automation = { id: automationId, organizationId, name: 'Weekly revenue', instructions: 'Look.', agent: 'digest', createdBy } as const
      const requested = await db
        .transaction()
        .execute((tx) => requestAutomationRun({ tx, clock, random }, automation, { trigger: 'person', triggerId: userId }))
      return requested!.runId
    },
    async stopAgentRun(runId) {
      await requestAgentRunStop(db, { runId, userId })
    },
    async addQuestion() {
      const { id, chatId } = await db.transaction().execute(insertQuestion)
      chatOf.set(id, chatId)
      return id
    },
    async deleteChatOf(runId) {
      await db.transaction().execute(async (tx) => {
        await lockChatWithRuns(tx, chatOf.get(runId)!)
        await deleteChat(tx, { chatId: chatOf.get(runId)!, now: clock.now() })
      })
    },
    async messageCountOf(runId) {
      const messages = await readMessages(db, { chatId: chatOf.get(runId)! })
      return messages.length
    },
    async agentRunRows(automationId) {
      const { rows } = await sql<AgentRunRow>`
        select run.id, run.status, run.attempt_count as "attemptCount", run.due_at as "dueAt", run.missed_count as "missedCount",
          run.failure_reason as "failureReason", event.type as "eventType",
          (select count(*)::integer from chat_messages as message
           where message.agent_run_id = run.id and message.kind in ('summary', 'answer', 'failure')) as "lastMessageCount"
        from agent_runs as run left join webhook_events as event on event.id = run.event_id
        where run.automation_id = ${automationId}
        order by run.requested_at, run.id`.execute(db)
      return rows
    },
    async deliveryCount() {
      return (await db.selectFrom('webhook_deliveries').select('id').execute()).length
    },
    async addEmail() {
      const id = newId(random, 'ntf')
      const content = { kind: 'run_failed', message: 'It failed.', link: '/notifications' } as const
      await db.transaction().execute((tx) => insertNotification(tx, { id, organizationId, userId, ...content, createdAt: clock.now() }))
      return id
    },
    async readEmail(id) {
      await db.updateTable('notifications').set({ read_at: clock.now() }).where('id', '=', id).execute()
    },
    emailRow: (id) =>
      db
        .selectFrom('notifications')
        .select(['email_state as state', 'email_attempt_count as attemptCount', 'email_next_attempt_at as nextAttemptAt'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    addArchiveJob,
    async addFill() {
      const referenceId = await addReference()
      const fill = { id: newId(random, 'fill'), parameter: 'day', days: ['2026-01-03', '2026-01-02', '2026-01-01'], requestedBy: userId }
      await db.transaction().execute((tx) => insertFill(tx, { ...fill, organizationId, referenceId, now: clock.now() }))
      return referenceId
    },
    stopFill: (referenceId) => stopFillOf(db, { organizationId, referenceId }),
    async fillRow(referenceId) {
      const { rows } = await sql<Awaited<ReturnType<WorkUnderTest['fillRow']>>>`
        select state, done_count as "doneCount", failed_count as "failedCount", attempt_count as "attemptCount", next_attempt_at as "nextAttemptAt",
          (select count(*)::integer from filled_results as filled where filled.reference_id = fill.reference_id) as "filledDays"
        from history_fills as fill where reference_id = ${referenceId}`.execute(db)
      return rows[0]!
    },
    async queueFeedResult(given) {
      const referenceId = given ?? (await addFeed())
      const runId = await addArchiveJob()
      const key = { organizationId, referenceId }
      await db.transaction().execute(async (tx) => {
        await lockFeed(tx, key)
        await queueResults(tx, { ...key, runIds: [runId] })
        await setNextAttempt(tx, key)
      })
      return { feedId: referenceId, runId }
    },
    async feedRow(feedId) {
      const row = await db
        .selectFrom('change_feeds')
        .select(['attempt_count as attemptCount', 'next_attempt_at as nextAttemptAt', 'head_run_id as headRunId'])
        .where('reference_id', '=', feedId)
        .executeTakeFirstOrThrow()
      const changes = await db.selectFrom('reference_changes').select('number').where('reference_id', '=', feedId).orderBy('number').execute()
      const events = await sql<{ number: number }>`
        select (body::json -> 'data' ->> 'number')::integer as number from webhook_events
        where type = 'reference.changed' order by 1`.execute(db)
      return { ...row, changes: changes.map(({ number }) => number), events: events.rows.map(({ number }) => number) }
    },
    archiveJobRow: (runId) =>
      db
        .selectFrom('archive_jobs')
        .select(['state', 'attempt_count as attemptCount', 'next_attempt_at as nextAttemptAt'])
        .where('run_id', '=', runId)
        .executeTakeFirstOrThrow(),
    async addReportJob(of = 'first') {
      const owner = of === 'first' ? organizationId : secondOrganizationId
      const [id, reportId] = [newId(random, 'rjob'), newId(random, 'rep')]
      const automationId = await addAutomation()
      await db.transaction().execute(async (tx) => {
        await insertReport(tx, {
          id: reportId,
          organizationId: owner,
          automationId,
          content: { kind: 'summary' },
          target: { kind: 'email', recipients: [] },
          when: 'always',
          minimumSeverity: null,
          values: null,
          attachments: [],
          isEnabled: true,
          createdBy,
          createdAt: now,
          updatedAt: now,
        })
        await insertTestJob(tx, { id, organizationId: owner, reportId, requestedBy: userId, isForRequester: false, resultsSince: now })
      })
      return id
    },
    reportJobRow: (jobId) =>
      db
        .selectFrom('report_jobs')
        .select(['state', 'attempt_count as attemptCount', 'next_attempt_at as nextAttemptAt'])
        .where('id', '=', jobId)
        .executeTakeFirstOrThrow(),
    reportDeliveryRows: (jobId) =>
      db
        .selectFrom('report_deliveries')
        .select(['id', 'recipient', 'state', 'drop_reason as dropReason', 'attempt_count as attemptCount', 'next_attempt_at as nextAttemptAt'])
        .where('job_id', '=', jobId)
        .orderBy('recipient')
        .execute(),
    async setAddress(email, { isConfirmed }) {
      const state = isConfirmed ? 'confirmed' : 'unconfirmed'
      const addresses = [organizationId, secondOrganizationId].map((id) => ({ organization_id: id, email, state, requested_by: userId, requested_at: clock.now() }) as const)
      await db
        .insertInto('report_addresses')
        .values(addresses)
        .onConflict((conflict) => conflict.columns(['organization_id', 'email']).doUpdateSet({ state }))
        .execute()
    },
    async unsubscribe(email) {
      const reports = await db.selectFrom('reports').select('id').execute()
      for (const { id: reportId } of reports) {
        await db.transaction().execute((tx) => insertUnsubscription(tx, { reportId, email, now: clock.now() }))
      }
    },
    slackQuestions: makeSqlSlackQuestionStore({ db }),
    async addSlackQuestion() {
      const id = newId(random, 'sq')
      const question = { eventId: id, slackUserId: 'U1', conversation: 'C1', threadTs: '1.000100', isShared: false, text: 'Why?' }
      await db.transaction().execute((tx) => insertSlackQuestion(tx, { id, organizationId, channelId, question }))
      return id
    },
    async askSlackQuestion(question) {
      const lost = new Error('lease lost')
      try {
        return await db.transaction().execute(async (tx) => {
          const { id, chatId } = await insertQuestion(tx)
          if (!(await bindSlackQuestion(tx, question, { id: chatId, shortId: chatId.slice(-10), questionNumber: 1 }))) throw lost
          return id
        })
      } catch (error) {
        if (error !== lost) throw error
        return undefined
      }
    },
    slackQuestionRow: (id) =>
      db
        .selectFrom('slack_questions')
        .select(['state', 'attempt_count as attemptCount', 'next_attempt_at as nextAttemptAt', 'reply_ts as replyTs'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    async clear() {
      for (const table of tables) await db.deleteFrom(table).execute()
    },
    close,
  }
}
