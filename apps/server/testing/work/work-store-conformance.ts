/**
 * The conformance suite for every store of background work: call `workStoreConformance({ name, open })` in a test file. Deliveries
 * have their own suite (`apps/server/testing/deliveries/delivery-store-conformance.ts`).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DueTimes, nextTimesOf } from '../../src/domain/automations/claim-due-times.ts'
import type { ClaimedEmail } from '../../src/model/notification.ts'
import type { AgentRunStore } from '../../src/workers/agent-run-store.ts'
import type { EmailStore } from '../../src/store/notifications/email-store.ts'
import type { ArchiveJobStore } from '../../src/store/history/archive-jobs.ts'
import type { HistoryFillStore } from '../../src/store/history/history-fills.ts'
import type { FeedDecision } from '../../src/model/change-feed.ts'
import type { FeedStore } from '../../src/workers/feed-store.ts'
import type { TurnOptions } from '../../src/store/due-in-turn.ts'
import type { ReportDeliveryStore, ReportJobStore } from '../../src/workers/report-stores.ts'
import type { ClaimedReportDelivery, ReportDeliveryDecision, ReportJobDecision } from '../../src/model/report-work.ts'
import type { ClaimedSlackQuestion, SlackQuestionDecision } from '../../src/model/slack-question.ts'
import type { SlackQuestionStore } from '../../src/workers/slack-question-store.ts'
import type { RunStore } from '../../src/store/runs/run-store.ts'
import { silentLog } from '../silent-log.ts'

/** The stores with their surroundings and a view of their contents. */
export interface WorkUnderTest {
  runs: RunStore
  agentRuns: AgentRunStore
  emails: EmailStore
  dueTimes: DueTimes
  reportJobs: ReportJobStore
  reportDeliveries: ReportDeliveryStore
  archiveJobs: ArchiveJobStore
  fills: HistoryFillStore
  feeds: FeedStore
  /** Sets the store's time. */
  setTime(now: Date): void
  /** Adds a pending run of a new query, always of the same database, which may read the results of other runs; returns its id. */
  addRun(inputRunIds?: string[]): Promise<string>
  /** The results that a run reads, in order. */
  runInputRows(runId: string): Promise<{ inputRunId: string; status: string; resultHash: string | null }[]>
  stopRun(runId: string): Promise<void>
  runRow(runId: string): Promise<{ status: string; failureReason: string | null; resultHash: string | null }>
  /** Adds an automation with a schedule, in an organization with one endpoint. */
  addAutomation(schedule: { cron: string; nextDueAt: Date }): Promise<string>
  nextDueAt(automationId: string): Promise<Date | null>
  /** Adds a pending run requested by a person. */
  addAgentRun(automationId: string): Promise<string>
  stopAgentRun(runId: string): Promise<void>
  /** Adds a pending run that answers a question in a new chat. */
  addQuestion(): Promise<string>
  deleteChatOf(runId: string): Promise<void>
  messageCountOf(runId: string): Promise<number>
  /** Oldest first. */
  agentRunRows(automationId: string): Promise<AgentRunRow[]>
  deliveryCount(): Promise<number>
  addEmail(): Promise<string>
  readEmail(letterId: string): Promise<void>
  emailRow(letterId: string): Promise<{ state: string | null; attemptCount: number; nextAttemptAt: Date | null }>
  /** Adds the request to keep the result of a run, and returns the run's id. */
  addArchiveJob(): Promise<string>
  /** Requests that a new query is run for three days; returns the query’s id. */
  addFill(): Promise<string>
  stopFill(referenceId: string): Promise<void>
  fillRow(referenceId: string): Promise<{ state: string; doneCount: number; failedCount: number; attemptCount: number; nextAttemptAt: Date | null; filledDays: number }>
  archiveJobRow(runId: string): Promise<{ state: string; attemptCount: number; nextAttemptAt: Date | null }>
  /** Queues the result of a run for a feed, or for a new one, and adds the request to keep it. Returns the ids. */
  queueFeedResult(feedId?: string): Promise<{ feedId: string; runId: string }>
  /** The numbers are those of the changes and of their events, in order. */
  feedRow(feedId: string): Promise<{ attemptCount: number; nextAttemptAt: Date | null; headRunId: string | null; changes: number[]; events: number[] }>
  /** Adds a job of a report of the organization, or of a second one. Its recipients are those that `prepareReport` names. */
  addReportJob(of?: 'first' | 'second'): Promise<string>
  reportJobRow(jobId: string): Promise<{ state: string; attemptCount: number; nextAttemptAt: Date | null }>
  /** Deliveries of a job, by recipient. */
  reportDeliveryRows(jobId: string): Promise<ReportDeliveryRow[]>
  /** Adds an outside address of both organizations, or changes its state. */
  setAddress(email: string, state: { isConfirmed: boolean }): Promise<void>
  unsubscribe(email: string): Promise<void>
  slackQuestions: SlackQuestionStore
  addSlackQuestion(): Promise<string>
  /** Asks a question in a new chat. Returns the agent run, or undefined if the lease is lost. */
  askSlackQuestion(question: ClaimedSlackQuestion): Promise<string | undefined>
  slackQuestionRow(questionId: string): Promise<{ state: string; attemptCount: number; nextAttemptAt: Date | null; replyTs: string | null }>
  clear(): Promise<void>
  close(): Promise<void>
}

export interface ReportDeliveryRow {
  id: string
  recipient: string
  state: string
  dropReason: string | null
  attemptCount: number
  nextAttemptAt: Date | null
}

export interface AgentRunRow {
  id: string
  status: string
  attemptCount: number
  dueAt: Date | null
  missedCount: number
  failureReason: string | null
  /** The number of messages in its chat that report its end. */
  lastMessageCount: number
  eventType: string | null
}

const beganAt = Date.parse('2026-01-05T09:00:00.000Z')
const due = (ms: number) => new Date(beganAt + ms)
const leaseMs = 30_000
const completed = { status: 'completed', rowCount: 1, statistics: { rowsRead: 1, rowsWritten: 0 }, sizeBytes: 1, hash: 'abc' } as const
const failed = { status: 'failed', reason: 'No.' } as const

const feedResultOf = (runId: string) => ({ runId, resultHash: `hash of ${runId}`, rowCount: 1 })
const started = (runId: string): FeedDecision => ({ state: 'started', to: feedResultOf(runId), keyColumns: ['id'], problem: null })
const changed = (runId: string): FeedDecision => {
  const key = { keyColumns: ['id'], nextKeyColumns: ['id'], isKeyUnique: true, isReplacement: false, problem: null }
  return { state: 'changed', to: { ...feedResultOf(runId), at: due(0) }, comparison: { ...key, added: 1, removed: 0, changed: 0, sampleRows: [] } }
}

export function workStoreConformance(options: { name: string; open(): Promise<WorkUnderTest> }): void {
  describe(`${options.name} conforms`, () => {
    let store: WorkUnderTest
    const at = (ms: number) => store.setTime(new Date(beganAt + ms))

    beforeAll(async () => {
      store = await options.open()
    })
    beforeEach(async () => {
      await store.clear()
      at(0)
    })
    afterAll(() => store.close())

    async function claimRun(workerId: string) {
      const run = await store.runs.claim({ workerId, leaseMs, fullDatabaseConfigIds: [] })
      await run?.committed
      return run
    }
    async function held(workerId: string) {
      const run = (await claimRun(workerId))!
      return { ...run, workerId }
    }

    const claimFeeds = () => store.feeds.claim({ leaseMs, count: 5 })

    describe('query runs', () => {
      test('are claimed oldest first, each once', async () => {
        const first = await store.addRun()
        at(1)
        const second = await store.addRun()
        expect(await claimRun('a')).toMatchObject({ id: first, leaseNumber: 1, isMorePending: true })
        expect(await claimRun('b')).toMatchObject({ id: second, leaseNumber: 1, isMorePending: false })
        expect(await claimRun('a')).toBeUndefined()
      })

      test('wait for the runs whose results they read', async () => {
        const ended = await store.addRun()
        await store.runs.end(await held('a'), { ...completed, hash: 'before' })
        const input = await store.addRun()
        at(1)
        const reader = await store.addRun([ended, input])
        const running = await held('a')
        expect(running.id).toBe(input)
        expect(await claimRun('b')).toBeUndefined()
        await store.runs.end(running, completed)
        expect(await claimRun('b')).toMatchObject({ id: reader })
        expect(await store.runInputRows(reader)).toEqual([
          { inputRunId: ended, status: 'completed', resultHash: 'before' },
          { inputRunId: input, status: 'completed', resultHash: 'abc' },
        ])
      })

      test.each(['fails', 'is abandoned'])('do not wait any longer when an input %s', async (how) => {
        const [input, other] = [await store.addRun(), await store.addRun()]
        const reader = await store.addRun([input, other])
        const runs = [await held('a'), await held('a')]
        at(leaseMs)
        if (how === 'fails') await store.runs.end(runs.find(({ id }) => id === input)!, failed)
        else await store.runs.failAbandoned({ reason: 'No.' })
        const [first] = await store.runInputRows(reader)
        expect(first).toEqual({ inputRunId: input, status: 'failed', resultHash: null })
        expect(await claimRun('b')).toMatchObject({ id: reader })
      })

      test('are not claimed without capacity', async () => {
        await store.addRun()
        const { database, organizationId } = await held('a')
        await store.addRun()
        const claim = { workerId: 'a', leaseMs, fullDatabaseConfigIds: [database.id] }
        expect(await store.runs.claim(claim)).toBeUndefined()
        const newcomers = { runCountsByOrganization: new Map([[organizationId, 1]]), onlyNewOrganizations: true }
        expect(await store.runs.claim({ ...claim, fullDatabaseConfigIds: [], ...newcomers })).toBeUndefined()
      })

      test('end only under their lease, idempotently', async () => {
        const id = await store.addRun()
        const run = await held('a')
        expect(await store.runs.end({ ...run, workerId: 'b' }, completed)).toBe(false)
        expect(await store.runs.end({ ...run, leaseNumber: 2 }, completed)).toBe(false)
        expect(await store.runRow(id)).toMatchObject({ status: 'running' })
        expect(await store.runs.end(run, completed)).toBe(true)
        expect(await store.runs.end(run, completed)).toBe(true)
        expect(await store.runs.end(run, failed)).toBe(false)
        expect(await store.runRow(id)).toEqual({ status: 'completed', failureReason: null, resultHash: 'abc' })
      })

      test('can be renewed after their lease expired if no one has claimed them', async () => {
        await store.addRun()
        const run = await held('a')
        at(leaseMs + 1)
        expect(await store.runs.renew({ workerId: 'b', leases: [run], leaseMs })).toEqual(new Set())
        expect(await store.runs.renew({ workerId: 'a', leases: [run], leaseMs })).toEqual(new Set([run.id]))
        expect(await store.runs.failAbandoned({ reason: 'Gone.' })).toEqual([])
      })

      test('fail when their lease has expired, and later writes of the former holder are rejected', async () => {
        const id = await store.addRun()
        const run = await held('a')
        at(leaseMs - 1)
        expect(await store.runs.failAbandoned({ reason: 'Gone.' })).toEqual([])
        at(leaseMs)
        expect(await store.runs.failAbandoned({ reason: 'Gone.' })).toEqual([id])
        expect(await store.runs.renew({ workerId: 'a', leases: [run], leaseMs })).toEqual(new Set())
        expect(await store.runs.end(run, completed)).toBe(false)
        expect(await store.runs.end(run, failed)).toBe(false)
        expect(await store.runRow(id)).toMatchObject({ status: 'failed', failureReason: 'Gone.' })
      })

      test('report a stop request to their holder', async () => {
        const id = await store.addRun()
        const run = await held('a')
        const stops = (workerId: string) => store.runs.readStops({ workerId, leases: [run] })
        expect(await stops('a')).toEqual([])
        await store.stopRun(id)
        expect(await stops('a')).toMatchObject([{ id }])
        expect(await stops('b')).toEqual([])
      })
    })

    const claimAgentRuns = (workerId: string, rooms = new Map<string, number>()) =>
      store.agentRuns.claim({ workerId, leaseMs, count: 10, rooms, roomOfOthers: 10 })
    const never = new Date('2030-01-01T00:00:00.000Z')

    async function heldAgentRun() {
      const automationId = await store.addAutomation({ cron: '0 9 * * *', nextDueAt: never })
      const runId = await store.addAgentRun(automationId)
      const [run] = await claimAgentRuns('a')
      const row = async () => (await store.agentRunRows(automationId)).find(({ id }) => id === runId)!
      return { automationId, runId, held: { id: runId, leaseNumber: run!.leaseNumber, workerId: 'a' }, run: run!, row }
    }

    describe('agent runs', () => {
      test('end once, with one last message, one event and its deliveries', async () => {
        const { held: lease, row } = await heldAgentRun()
        const ending = { status: 'completed', answer: { summary: 'All is well.' } } as const
        expect(await store.agentRuns.end({ ...lease, leaseNumber: 9 }, ending)).toBe(false)
        expect(await store.deliveryCount()).toBe(0)
        expect(await store.agentRuns.end(lease, ending)).toBe(true)
        expect(await store.agentRuns.end(lease, ending)).toBe(false)
        expect(await row()).toMatchObject({ status: 'completed', lastMessageCount: 1, eventType: 'automation.run.completed' })
        expect(await store.deliveryCount()).toBe(1)
      })

      test('are not claimed if their organization has no capacity', async () => {
        const { run, automationId } = await heldAgentRun()
        await store.agentRuns.giveBack({ ...run, workerId: 'a' })
        expect(await claimAgentRuns('a', new Map([[run.organizationId, 0]]))).toEqual([])
        expect(await claimAgentRuns('a', new Map([[run.organizationId, 1]]))).toMatchObject([{ automationId, attemptNumber: 1 }])
      })

      test('use no attempt when released, but one of three when their worker dies', async () => {
        const { held: lease, runId, row } = await heldAgentRun()
        expect(await store.agentRuns.giveBack(lease)).toBe('pending')
        expect(await store.agentRuns.giveBack(lease)).toBeUndefined()
        expect(await row()).toMatchObject({ status: 'pending', attemptCount: 0 })
        for (const attempt of [1, 2, 3]) {
          at(attempt * 2 * leaseMs)
          expect(await claimAgentRuns('a')).toMatchObject([{ id: runId, attemptNumber: attempt }])
          expect(await store.agentRuns.recover()).toEqual([])
          at(attempt * 2 * leaseMs + leaseMs)
          expect(await store.agentRuns.recover()).toEqual([{ id: runId, became: attempt < 3 ? 'pending' : 'failed' }])
        }
        expect(await row()).toMatchObject({ status: 'failed', lastMessageCount: 1, eventType: 'automation.run.failed' })
      })

      test('can be renewed after their lease expired if no one has claimed them', async () => {
        const { run, held: lease } = await heldAgentRun()
        at(leaseMs)
        expect(await store.agentRuns.renew({ workerId: 'a', leases: [run], leaseMs })).toEqual(new Set([run.id]))
        expect(await store.agentRuns.recover()).toEqual([])
        at(2 * leaseMs)
        expect(await store.agentRuns.recover()).toHaveLength(1)
        expect(await store.agentRuns.renew({ workerId: 'a', leases: [run], leaseMs })).toEqual(new Set())
        expect(await store.agentRuns.end(lease, failed)).toBe(false)
      })

      test('end on release if they were stopped', async () => {
        const { held: lease, runId, row } = await heldAgentRun()
        await store.stopAgentRun(runId)
        expect(await store.agentRuns.readStops({ workerId: 'a', leases: [lease] })).toMatchObject([{ id: runId }])
        expect(await store.agentRuns.giveBack(lease)).toBe('failed')
        expect(await row()).toMatchObject({ status: 'failed', lastMessageCount: 1 })
      })

      test('are lost to their worker when their chat is deleted, and leave nothing behind', async () => {
        const runId = await store.addQuestion()
        const [run] = await claimAgentRuns('a')
        expect(run).toMatchObject({ id: runId, automationId: null })
        const lease = { id: runId, leaseNumber: run!.leaseNumber, workerId: 'a' }
        expect(await store.messageCountOf(runId)).toBe(1)
        await store.deleteChatOf(runId)
        expect(await store.agentRuns.renew({ workerId: 'a', leases: [run!], leaseMs })).toEqual(new Set())
        expect(await store.agentRuns.end(lease, failed)).toBe(false)
        expect(await store.agentRuns.giveBack(lease)).toBeUndefined()
        at(2 * leaseMs)
        expect(await store.agentRuns.recover()).toEqual([])
        expect(await claimAgentRuns('b')).toEqual([])
        expect(await store.messageCountOf(runId)).toBe(0)
      })
    })

    async function claimDue() {
      const claimed: { id: string }[] = []
      await store.dueTimes.claimBatch({ count: 10, exceptIds: [], claimed: claimed as never, findNextTimes: (due) => nextTimesOf({ log: silentLog }, due) })
      return claimed.map(({ id }) => id)
    }

    describe('due times', () => {
      test('create one run each, not before they are due, and wait for the previous run', async () => {
        const id = await store.addAutomation({ cron: '*/5 * * * *', nextDueAt: due(300_000) })
        at(299_999)
        expect(await claimDue()).toEqual([])
        at(300_000)
        expect(await claimDue()).toEqual([id])
        expect(await claimDue()).toEqual([])
        expect(await store.agentRunRows(id)).toMatchObject([{ status: 'pending', dueAt: due(300_000), missedCount: 0 }])
        expect(await store.nextDueAt(id)).toEqual(due(600_000))
        at(700_000)
        expect(await claimDue()).toEqual([])
      })

      test('that were missed are counted by the late run', async () => {
        const id = await store.addAutomation({ cron: '*/5 * * * *', nextDueAt: due(300_000) })
        at(1_000_000)
        expect(await claimDue()).toEqual([id])
        expect(await store.agentRunRows(id)).toMatchObject([{ dueAt: due(300_000), missedCount: 2 }])
        expect(await store.nextDueAt(id)).toEqual(due(1_200_000))
      })
    })

    const emailLeaseMs = 180_000
    const claimEmails = async (attemptsMax = 6): Promise<ClaimedEmail[]> =>
      (await store.emails.claim({ leaseMs: emailLeaseMs, keptMs: 86_400_000, attemptsMax, count: 5 })).emails

    describe('e-mails', () => {
      test('are claimed once, and again when the lease expires', async () => {
        const id = await store.addEmail()
        const [email] = await claimEmails()
        expect(email).toMatchObject({ id, attemptNumber: 1, leaseNumber: 1 })
        at(emailLeaseMs - 1)
        expect(await claimEmails()).toEqual([])
        at(emailLeaseMs)
        expect(await claimEmails()).toMatchObject([{ id, attemptNumber: 2, leaseNumber: 2 }])
        expect(await store.emails.record(email!, { state: 'sent' }, { endedAgoMs: 0 })).toBe(false)
        expect(await store.emailRow(id)).toMatchObject({ state: 'due' })
      })

      test('wait from the end of the attempt, and end once', async () => {
        const id = await store.addEmail()
        const [email] = await claimEmails()
        at(10_000)
        expect(await store.emails.record(email!, { state: 'due', waitMs: 60_000 }, { endedAgoMs: 4_000 })).toBe(true)
        expect(await store.emailRow(id)).toMatchObject({ state: 'due', nextAttemptAt: new Date(beganAt + 66_000) })
        at(66_000)
        const [again] = await claimEmails()
        expect(await store.emails.record(again!, { state: 'sent' }, { endedAgoMs: 0 })).toBe(true)
        expect(await store.emails.record(again!, { state: 'failed' }, { endedAgoMs: 0 })).toBe(false)
        expect(await store.emailRow(id)).toEqual({ state: 'sent', attemptCount: 2, nextAttemptAt: null })
      })

      test('are due at once when released, and the attempt does not count', async () => {
        const id = await store.addEmail()
        const [email] = await claimEmails()
        expect(await store.emails.record(email!, { state: 'given_back' }, { endedAgoMs: 0 })).toBe(true)
        expect(await store.emailRow(id)).toMatchObject({ attemptCount: 0 })
        expect(await claimEmails()).toMatchObject([{ attemptNumber: 1, leaseNumber: 2 }])
      })

      test('fail when all their attempts ended with a crash', async () => {
        const id = await store.addEmail()
        for (const attempt of [1, 2]) {
          at(attempt * emailLeaseMs)
          expect(await claimEmails(2)).toMatchObject([{ attemptNumber: attempt }])
        }
        at(3 * emailLeaseMs)
        expect(await claimEmails(2)).toEqual([])
        expect(await store.emailRow(id)).toEqual({ state: 'failed', attemptCount: 2, nextAttemptAt: null })
      })

      test('are dropped if they were read or are too old', async () => {
        const read = await store.addEmail()
        const old = await store.addEmail()
        await store.readEmail(read)
        expect(await claimEmails()).toMatchObject([{ id: old }])
        at(86_400_000)
        expect(await claimEmails()).toEqual([])
        for (const id of [read, old]) expect(await store.emailRow(id)).toMatchObject({ state: null, nextAttemptAt: null })
      })
    })

    const reportLeaseMs = 30_000
    const claimJobs = () => store.reportJobs.claim({ leaseMs: reportLeaseMs, count: 5 })
    /** A document for each address. */
    const preparedFor = (...emails: string[]): Extract<ReportJobDecision, { state: 'prepared' }> => ({
      state: 'prepared',
      contents: [
        { id: `rct_${++contentCount}`, document: { title: 'A', preview: '', link: '', sentAt: '', sections: [] }, images: new Map(), attachments: [], linkedFiles: [] },
      ],
      deliveries: emails.map((recipient, at) => ({
        id: `rdl_${contentCount}_${at}`,
        purpose: 'report',
        recipient,
        userId: null,
        channelId: null,
        values: { store: recipient },
        contentId: `rct_${contentCount}`,
      })),
      problems: [],
    })
    let contentCount = 0

    describe('fills of the history', () => {
      const leaseMs = 60_000
      const claimFill = async () => (await store.fills.claim({ leaseMs, count: 1 }))[0]
      const given = { endedAgoMs: 0 }

      test('do each day once, and end after the last', async () => {
        const id = await store.addFill()
        const first = (await claimFill())!
        expect(await claimFill()).toBeUndefined()
        for (let times = 0; times < 2; times++) expect(await store.fills.record(first, { state: 'filled', runId: 'run_1' }, given)).toBe(true)
        expect(await store.fillRow(id)).toMatchObject({ state: 'due', doneCount: 1, attemptCount: 0, filledDays: 1 })
        const second = (await claimFill())!
        expect(second.day).not.toBe(first.day)
        expect(await store.fills.renew({ leaseMs, items: [first, second] })).toEqual(new Set([second.id]))
        await store.fills.record(second, { state: 'missed', reason: 'The query failed.' }, given)
        await store.fills.record((await claimFill())!, { state: 'filled', runId: 'run_3' }, given)
        expect(await store.fillRow(id)).toMatchObject({ state: 'completed', doneCount: 3, failedCount: 1, nextAttemptAt: null, filledDays: 2 })
        expect(await claimFill()).toBeUndefined()
      })

      test('take the same day again when the lease expires, and ignore the worker that lost it', async () => {
        const id = await store.addFill()
        const lost = (await claimFill())!
        at(leaseMs)
        expect(await claimFill()).toMatchObject({ day: lost.day, attemptNumber: 2, leaseNumber: 2 })
        expect(await store.fills.renew({ leaseMs, items: [lost] })).toEqual(new Set())
        expect(await store.fills.record(lost, { state: 'filled', runId: 'run_1' }, given)).toBe(false)
        expect(await store.fillRow(id)).toMatchObject({ doneCount: 0, filledDays: 0 })
      })

      test('wait after a failure, do not lose an attempt when they are given back, and record nothing after a stop', async () => {
        const id = await store.addFill()
        at(10_000)
        await store.fills.record((await claimFill())!, { state: 'due', waitMs: 60_000, reason: 'no' }, { endedAgoMs: 4_000 })
        expect(await store.fillRow(id)).toMatchObject({ state: 'due', nextAttemptAt: new Date(beganAt + 66_000) })
        at(66_000)
        expect(await store.fills.record((await claimFill())!, { state: 'given_back' }, given)).toBe(true)
        const again = (await claimFill())!
        expect(again).toMatchObject({ attemptNumber: 2, leaseNumber: 3 })
        await store.stopFill(id)
        expect(await store.fills.record(again, { state: 'filled', runId: 'run_1' }, given)).toBe(false)
        expect(await store.fillRow(id)).toMatchObject({ state: 'stopped', doneCount: 0, nextAttemptAt: null, filledDays: 0 })
      })
    })

    describe('requests to keep a result', () => {
      const leaseMs = 60_000
      const claimArchiveJobs = () => store.archiveJobs.claim({ leaseMs, count: 5 })
      const given = { endedAgoMs: 0 }

      test('are claimed once, renewed, and claimed again when the lease expires', async () => {
        const id = await store.addArchiveJob()
        const [job] = await claimArchiveJobs()
        expect(job).toMatchObject({ id, attemptNumber: 1, leaseNumber: 1 })
        at(20_000)
        expect(await store.archiveJobs.renew({ leaseMs, items: [job!] })).toEqual(new Set([id]))
        at(20_000 + leaseMs - 1)
        expect(await claimArchiveJobs()).toEqual([])
        at(20_000 + leaseMs)
        expect(await claimArchiveJobs()).toMatchObject([{ id, attemptNumber: 2, leaseNumber: 2 }])
        expect(await store.archiveJobs.renew({ leaseMs, items: [job!] })).toEqual(new Set())
        expect(await store.archiveJobs.record(job!, { state: 'skipped', reason: 'late' }, given)).toBe(false)
        expect(await store.archiveJobRow(id)).toMatchObject({ state: 'due' })
      })

      test('end once, even if the answer to the record is lost', async () => {
        const id = await store.addArchiveJob()
        const [job] = await claimArchiveJobs()
        for (let times = 0; times < 2; times++) expect(await store.archiveJobs.record(job!, { state: 'skipped', reason: 'gone' }, given)).toBe(true)
        expect(await store.archiveJobs.record(job!, { state: 'failed', reason: 'late' }, given)).toBe(false)
        expect(await store.archiveJobRow(id)).toEqual({ state: 'skipped', attemptCount: 1, nextAttemptAt: null })
      })

      test('wait after a failure, and do not lose an attempt when they are given back', async () => {
        const id = await store.addArchiveJob()
        const [job] = await claimArchiveJobs()
        at(10_000)
        await store.archiveJobs.record(job!, { state: 'due', waitMs: 60_000, reason: 'no' }, { endedAgoMs: 4_000 })
        expect(await store.archiveJobRow(id)).toMatchObject({ state: 'due', nextAttemptAt: new Date(beganAt + 66_000) })
        at(66_000)
        const [again] = await claimArchiveJobs()
        expect(await store.archiveJobs.record(again!, { state: 'given_back' }, given)).toBe(true)
        expect(await claimArchiveJobs()).toMatchObject([{ attemptNumber: 2, leaseNumber: 3 }])
      })
    })

    describe('change feeds', () => {
      const given = { endedAgoMs: 0 }
      /** Ends the keeping of all results that are due. */
      async function endKeeping() {
        const jobs = await store.archiveJobs.claim({ leaseMs, count: 5 })
        for (const job of jobs) await store.archiveJobs.record(job, { state: 'skipped', reason: 'gone' }, given)
      }
      /** A feed with a head, and a result that is next. */
      async function feedWithNext() {
        const { feedId, runId } = await store.queueFeedResult()
        await endKeeping()
        const [first] = await claimFeeds()
        expect(await store.feeds.record(first!, started(runId), given)).toBe(true)
        const next = await store.queueFeedResult(feedId)
        await endKeeping()
        return next
      }

      test('are claimed once, renewed, and claimed again when the lease expires', async () => {
        const { feedId: id, runId } = await feedWithNext()
        const [job] = await claimFeeds()
        expect(job).toMatchObject({ id, attemptNumber: 1, leaseNumber: 2, next: { runId } })
        at(20_000)
        expect(await store.feeds.renew({ leaseMs, items: [job!] })).toEqual(new Set([id]))
        at(20_000 + leaseMs - 1)
        expect(await claimFeeds()).toEqual([])
        at(20_000 + leaseMs)
        expect(await claimFeeds()).toMatchObject([{ id, attemptNumber: 2, leaseNumber: 3, next: { runId } }])
        expect(await store.feeds.renew({ leaseMs, items: [job!] })).toEqual(new Set())
        expect(await store.feeds.record(job!, changed(runId), given)).toBe(false)
        expect(await store.feedRow(id)).toMatchObject({ changes: [], events: [] })
      })

      test('number each change once with its event, even if the answer to the record is lost', async () => {
        const { feedId, runId } = await feedWithNext()
        const [job] = await claimFeeds()
        for (let times = 0; times < 2; times++) expect(await store.feeds.record(job!, changed(runId), given)).toBe(true)
        expect(await store.feedRow(feedId)).toEqual({ attemptCount: 0, nextAttemptAt: null, headRunId: runId, changes: [1], events: [1] })
        expect(await store.feeds.renew({ leaseMs, items: [job!] })).toEqual(new Set())
        const { runId: later } = await store.queueFeedResult(feedId)
        await endKeeping()
        const [next] = await claimFeeds()
        expect(next).toMatchObject({ head: { runId }, next: { runId: later } })
        await store.feeds.record(next!, changed(later), given)
        expect(await store.feedRow(feedId)).toMatchObject({ headRunId: later, changes: [1, 2], events: [1, 2] })
      })

      test('give no number to results that are equal or do not belong to them', async () => {
        const { feedId, runId } = await feedWithNext()
        const { runId: other } = await store.queueFeedResult(feedId)
        await endKeeping()
        const [equal] = await claimFeeds()
        await store.feeds.record(equal!, { state: 'unchanged', to: feedResultOf(runId) }, given)
        const [foreign] = await claimFeeds()
        expect(foreign).toMatchObject({ next: { runId: other } })
        await store.feeds.record(foreign!, { state: 'passed', reason: 'other values', problem: null }, given)
        expect(await store.feedRow(feedId)).toMatchObject({ headRunId: runId, nextAttemptAt: null, changes: [], events: [] })
      })

      test('wait until the first result of their queue is kept, or never will be', async () => {
        const { feedId, runId } = await store.queueFeedResult()
        const jobs = await store.archiveJobs.claim({ leaseMs, count: 5 })
        const { runId: later } = await store.queueFeedResult(feedId)
        await endKeeping()
        expect(await store.archiveJobRow(later)).toMatchObject({ state: 'skipped' })
        expect(await claimFeeds()).toEqual([])
        await store.archiveJobs.record(jobs[0]!, { state: 'skipped', reason: 'gone' }, given)
        expect(await claimFeeds()).toMatchObject([{ id: feedId, next: { runId } }])
      })

      test('wait after a failure, and do not lose an attempt when they are given back', async () => {
        const { feedId } = await feedWithNext()
        const [job] = await claimFeeds()
        at(10_000)
        await store.feeds.record(job!, { state: 'due', waitMs: 60_000, reason: 'no' }, { endedAgoMs: 4_000 })
        expect(await store.feedRow(feedId)).toMatchObject({ attemptCount: 1, nextAttemptAt: due(66_000) })
        at(66_000)
        const [again] = await claimFeeds()
        expect(await store.feeds.record(again!, { state: 'given_back' }, given)).toBe(true)
        expect(await claimFeeds()).toMatchObject([{ attemptNumber: 2, leaseNumber: 4 }])
      })
    })

    describe('report jobs', () => {
      test('are claimed once, renewed, and claimed again when the lease expires', async () => {
        const id = await store.addReportJob()
        const [job] = await claimJobs()
        expect(job).toMatchObject({ id, attemptNumber: 1, leaseNumber: 1 })
        at(20_000)
        expect(await store.reportJobs.renew({ leaseMs: reportLeaseMs, items: [job!] })).toEqual(new Set([id]))
        at(20_000 + reportLeaseMs - 1)
        expect(await claimJobs()).toEqual([])
        at(20_000 + reportLeaseMs)
        expect(await claimJobs()).toMatchObject([{ id, attemptNumber: 2, leaseNumber: 2 }])
        expect(await store.reportJobs.renew({ leaseMs: reportLeaseMs, items: [job!] })).toEqual(new Set())
        expect(await store.reportJobs.record(job!, preparedFor('late@example.com'), { endedAgoMs: 0 })).toBe(false)
        expect(await store.reportDeliveryRows(id)).toEqual([])
      })

      test('become deliveries once, even if the answer to the record is lost', async () => {
        const id = await store.addReportJob()
        const [job] = await claimJobs()
        const decision = preparedFor('a@example.com', 'b@example.com')
        expect(await store.reportJobs.record(job!, decision, { endedAgoMs: 0 })).toBe(true)
        expect(await store.reportJobs.record(job!, decision, { endedAgoMs: 0 })).toBe(true)
        expect(await store.reportJobs.record(job!, { state: 'failed', reason: 'late' }, { endedAgoMs: 0 })).toBe(false)
        expect(await store.reportJobRow(id)).toEqual({ state: 'prepared', attemptCount: 1, nextAttemptAt: null })
        expect(await store.reportDeliveryRows(id)).toMatchObject([
          { recipient: 'a@example.com', state: 'due' },
          { recipient: 'b@example.com', state: 'due' },
        ])
      })

      test('wait after a failure, and do not lose an attempt when they are given back', async () => {
        const id = await store.addReportJob()
        const [job] = await claimJobs()
        at(10_000)
        await store.reportJobs.record(job!, { state: 'due', waitMs: 60_000, reason: 'no' }, { endedAgoMs: 4_000 })
        expect(await store.reportJobRow(id)).toMatchObject({ state: 'due', nextAttemptAt: new Date(beganAt + 66_000) })
        at(66_000)
        const [again] = await claimJobs()
        expect(await store.reportJobs.record(again!, { state: 'given_back' }, { endedAgoMs: 0 })).toBe(true)
        expect(await claimJobs()).toMatchObject([{ attemptNumber: 2, leaseNumber: 3 }])
      })
    })

    test('report jobs are claimed in turns between organizations, up to a limit', async () => {
      const many: string[] = []
      for (let number = 0; number < 4; number++) {
        at(number)
        many.push(await store.addReportJob('first'))
      }
      at(10)
      const few = await store.addReportJob('second')
      const claim = async (options: Partial<TurnOptions>) =>
        (await store.reportJobs.claim({ leaseMs: reportLeaseMs, count: 2, ...options })).map(({ id }) => id)
      const [organizationId] = (await store.reportJobs.claim({ leaseMs: reportLeaseMs, count: 1 })).map((job) => job.organizationId)
      const heldByOrganization = new Map([[organizationId!, 1]])
      // The first organization has waited longer, but this worker has one of its jobs already.
      expect(await claim({ count: 1, heldByOrganization })).toEqual([few])
      expect(await claim({ heldByOrganization, perOrganizationMax: 1 })).toEqual([])
      expect(await claim({ heldByOrganization, perOrganizationMax: 2 })).toEqual([many[1]])
      expect(new Set(await claim({}))).toEqual(new Set(many.slice(2)))
      expect(await claim({})).toEqual([])
    })

    const deliveryLeaseMs = 180_000
    const soonMs = 100
    const claimDeliveries = async (turns: Partial<TurnOptions> = {}) =>
      (await store.reportDeliveries.claim({ leaseMs: deliveryLeaseMs, soonMs, count: 5, ...turns })).deliveries
    const attempt = { at: '2026-01-05T09:00:00.000Z', outcome: 'sent', detail: null } as const
    const record = async (delivery: ClaimedReportDelivery, decision: ReportDeliveryDecision, endedAgoMs = 0) =>
      (await store.reportDeliveries.record([{ delivery, decision, endedAgoMs, attempt }])).has(delivery.id)
    /** A job with deliveries to these addresses, which are confirmed. */
    const prepare = (...emails: string[]) => prepareOf('first', emails)
    async function prepareOf(organization: 'first' | 'second', emails: string[]): Promise<string> {
      const id = await store.addReportJob(organization)
      for (const email of emails) await store.setAddress(email, { isConfirmed: true })
      const [job] = await claimJobs()
      await store.reportJobs.record(job!, preparedFor(...emails), { endedAgoMs: 0 })
      return id
    }

    describe('report deliveries', () => {
      test('are claimed once, and again when the lease expires', async () => {
        const id = await prepare('a@example.com')
        const [delivery] = await claimDeliveries()
        expect(delivery).toMatchObject({ recipient: 'a@example.com', attemptNumber: 1, leaseNumber: 1, channel: null })
        at(deliveryLeaseMs - 1)
        expect(await claimDeliveries()).toEqual([])
        at(deliveryLeaseMs)
        expect(await claimDeliveries()).toMatchObject([{ attemptNumber: 2, leaseNumber: 2 }])
        expect(await record(delivery!, { state: 'sent' })).toBe(false)
        expect(await store.reportDeliveryRows(id)).toMatchObject([{ state: 'due' }])
      })

      test('wait from the end of the attempt, and end once, even if the answer to the record is lost', async () => {
        const id = await prepare('a@example.com')
        const [delivery] = await claimDeliveries()
        at(10_000)
        expect(await record(delivery!, { state: 'due', waitMs: 60_000 }, 4_000)).toBe(true)
        expect(await store.reportDeliveryRows(id)).toMatchObject([{ nextAttemptAt: new Date(beganAt + 66_000) }])
        at(66_000)
        const [again] = await claimDeliveries()
        expect(await record(again!, { state: 'sent' })).toBe(true)
        expect(await record(again!, { state: 'sent' })).toBe(true)
        expect(await store.reportDeliveryRows(id)).toMatchObject([{ state: 'sent', attemptCount: 2, nextAttemptAt: null }])
        expect(await claimDeliveries()).toEqual([])
      })

      test('are due at once when given back, and the attempt does not count', async () => {
        await prepare('a@example.com')
        const [delivery] = await claimDeliveries()
        expect(await record(delivery!, { state: 'given_back' })).toBe(true)
        expect(await claimDeliveries()).toMatchObject([{ attemptNumber: 1, leaseNumber: 2 }])
      })

      test('are recorded together, except for those whose lease is lost', async () => {
        const id = await prepare('a@example.com', 'b@example.com', 'c@example.com')
        const [first, second, third] = await claimDeliveries()
        const lost = { ...second!, leaseNumber: second!.leaseNumber + 1 }
        const recorded = await store.reportDeliveries.record([
          { delivery: first!, decision: { state: 'sent' }, endedAgoMs: 0, attempt },
          { delivery: lost, decision: { state: 'sent' }, endedAgoMs: 0, attempt },
          { delivery: third!, decision: { state: 'due', waitMs: 60_000 }, endedAgoMs: 4_000, attempt },
        ])
        expect(recorded).toEqual(new Set([first!.id, third!.id]))
        const rows = new Map((await store.reportDeliveryRows(id)).map((row) => [row.id, row]))
        expect(rows.get(first!.id)).toMatchObject({ state: 'sent', nextAttemptAt: null })
        expect(rows.get(second!.id)).toMatchObject({ state: 'due', nextAttemptAt: new Date(beganAt + deliveryLeaseMs) })
        expect(rows.get(third!.id)).toMatchObject({ state: 'due', nextAttemptAt: new Date(beganAt + 56_000) })
      })

      test('are claimed in turns between organizations', async () => {
        await prepareOf('first', ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'])
        at(10)
        await prepareOf('second', ['x@example.com', 'y@example.com', 'z@example.com'])
        const first = await claimDeliveries({ count: 2 })
        expect(first.map(({ recipient }) => recipient).toSorted()).toEqual(['a@example.com', 'x@example.com'])
        const large = first.find(({ recipient }) => recipient === 'a@example.com')!
        // The worker still sends one of the large organization, so it is the other one's turn, although it has waited less.
        expect(await claimDeliveries({ count: 1, heldByOrganization: new Map([[large.organizationId, 1]]) })).toMatchObject([{ recipient: 'y@example.com' }])
        // Of two with nothing in hand, it is the turn of the one that was not served lately.
        expect(await claimDeliveries({ count: 1, servedOrganizations: [large.organizationId] })).toMatchObject([{ recipient: 'z@example.com' }])
        expect((await claimDeliveries()).map(({ recipient }) => recipient).toSorted()).toEqual(['b@example.com', 'c@example.com', 'd@example.com'])
      })

      test('are claimed when they are due, one after the other, and announced shortly before', async () => {
        const id = await store.addReportJob('first')
        for (const email of ['a@example.com', 'b@example.com']) await store.setAddress(email, { isConfirmed: true })
        const [job] = await claimJobs()
        const prepared = preparedFor('a@example.com', 'b@example.com')
        prepared.deliveries[1]!.dueInMs = 1_000
        await store.reportJobs.record(job!, prepared, { endedAgoMs: 0 })
        expect(await store.reportDeliveryRows(id)).toMatchObject([{ nextAttemptAt: new Date(beganAt) }, { nextAttemptAt: new Date(beganAt + 1_000) }])
        const claim = () => store.reportDeliveries.claim({ leaseMs: deliveryLeaseMs, soonMs, count: 5 })
        expect(await claim()).toMatchObject({ deliveries: [{ recipient: 'a@example.com' }], checkedCount: 1, isMoreDueSoon: true })
        at(1_000 - soonMs - 1)
        expect(await claim()).toEqual({ deliveries: [], checkedCount: 0, isMoreDueSoon: false })
        at(1_000 - soonMs)
        expect(await claim()).toEqual({ deliveries: [], checkedCount: 0, isMoreDueSoon: true })
        at(1_000)
        expect(await claim()).toMatchObject({ deliveries: [{ recipient: 'b@example.com' }], isMoreDueSoon: true })
      })

      test('are dropped if the address is not confirmed or its owner has unsubscribed, even after a failed attempt', async () => {
        const id = await prepare('a@example.com', 'b@example.com', 'c@example.com')
        await store.setAddress('b@example.com', { isConfirmed: false })
        const claimed = await claimDeliveries()
        expect(claimed.map(({ recipient }) => recipient).toSorted()).toEqual(['a@example.com', 'c@example.com'])
        for (const delivery of claimed) await record(delivery, { state: 'due', waitMs: 60_000 })
        await store.unsubscribe('c@example.com')
        at(60_000)
        expect(await claimDeliveries()).toMatchObject([{ recipient: 'a@example.com', attemptNumber: 2 }])
        expect(await store.reportDeliveryRows(id)).toMatchObject([
          { recipient: 'a@example.com', state: 'due' },
          { recipient: 'b@example.com', state: 'dropped', dropReason: 'unconfirmed', attemptCount: 0 },
          { recipient: 'c@example.com', state: 'dropped', dropReason: 'unsubscribed', nextAttemptAt: null },
        ])
      })
    })

    const questionLeaseMs = 240_000
    const claimQuestions = async () => (await store.slackQuestions.claim({ leaseMs: questionLeaseMs, count: 5 })).questions
    const recordQuestion = (question: ClaimedSlackQuestion, decision: SlackQuestionDecision, { endedAgoMs = 0, replyTs = null as string | null } = {}) =>
      store.slackQuestions.record({ question, replyTs, decision, endedAgoMs })
    const answered = { state: 'answered', reason: null } as const

    describe('questions from Slack', () => {
      test('are claimed once, and again when the lease expires; the former holder changes nothing', async () => {
        const id = await store.addSlackQuestion()
        const [question] = await claimQuestions()
        expect(question).toMatchObject({ id, attemptNumber: 1, leaseNumber: 1, chat: null, replyTs: null })
        at(questionLeaseMs - 1)
        expect(await claimQuestions()).toEqual([])
        at(questionLeaseMs)
        const [again] = await claimQuestions()
        expect(again).toMatchObject({ attemptNumber: 2, leaseNumber: 2 })
        expect(await recordQuestion(question!, answered)).toBe(false)
        expect(await store.askSlackQuestion(question!)).toBeUndefined()
        expect(await store.slackQuestionRow(id)).toMatchObject({ state: 'due' })
      })

      test('are asked once', async () => {
        await store.addSlackQuestion()
        const [question] = await claimQuestions()
        expect(await store.askSlackQuestion(question!)).toBeDefined()
        expect(await store.askSlackQuestion(question!)).toBeUndefined()
        at(questionLeaseMs)
        const [again] = await claimQuestions()
        expect(again!.chat).not.toBeNull()
        expect(await store.askSlackQuestion(again!)).toBeUndefined()
      })

      test('wait for their agent, whose end makes them due; a step that succeeded forgets earlier attempts', async () => {
        const id = await store.addSlackQuestion()
        const [first] = await claimQuestions()
        expect(await recordQuestion(first!, { state: 'due', waitMs: 5_000, reason: 'Busy.' })).toBe(true)
        at(5_000)
        const [question] = await claimQuestions()
        const runId = await store.askSlackQuestion(question!)
        expect(await recordQuestion(question!, { state: 'waiting', waitMs: 10_000, toldSteps: 0 }, { replyTs: '7.1' })).toBe(true)
        expect(await store.slackQuestionRow(id)).toEqual({ state: 'waiting', attemptCount: 0, nextAttemptAt: due(15_000), replyTs: '7.1' })
        expect(await claimQuestions()).toEqual([])
        const run = (await claimAgentRuns('a')).find((each) => each.id === runId)!
        expect(await store.agentRuns.end({ ...run, workerId: 'a' }, { status: 'failed', reason: 'No.' })).toBe(true)
        expect(await claimQuestions()).toMatchObject([{ id, attemptNumber: 1, replyTs: '7.1' }])
      })

      test('wait from the end of the attempt, and end once, even if the answer to the record is lost', async () => {
        const id = await store.addSlackQuestion()
        const [question] = await claimQuestions()
        at(10_000)
        expect(await recordQuestion(question!, { state: 'due', waitMs: 30_000, reason: 'Busy.' }, { endedAgoMs: 4_000 })).toBe(true)
        expect(await store.slackQuestionRow(id)).toMatchObject({ nextAttemptAt: due(36_000) })
        at(36_000)
        const [again] = await claimQuestions()
        expect(await recordQuestion(again!, answered, { replyTs: '7.1' })).toBe(true)
        expect(await recordQuestion(again!, answered, { replyTs: '7.1' })).toBe(true)
        expect(await store.slackQuestionRow(id)).toEqual({ state: 'answered', attemptCount: 2, nextAttemptAt: null, replyTs: '7.1' })
        expect(await claimQuestions()).toEqual([])
      })

      test('are due at once when given back, and the attempt does not count', async () => {
        await store.addSlackQuestion()
        const [question] = await claimQuestions()
        expect(await recordQuestion(question!, { state: 'given_back' })).toBe(true)
        expect(await claimQuestions()).toMatchObject([{ attemptNumber: 1, leaseNumber: 2 }])
      })
    })
  })
}
