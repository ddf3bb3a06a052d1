/**
 * The conformance suite for every store of background work: call `workStoreConformance({ name, open })` in a test file. Deliveries
 * have their own suite (`apps/server/testing/deliveries/delivery-store-conformance.ts`).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DueTimes, nextTimesOf } from '../../src/domain/automations/claim-due-times.ts'
import type { ClaimedEmail } from '../../src/model/notification.ts'
import type { AgentRunStore } from '../../src/workers/agent-run-store.ts'
import type { EmailStore } from '../../src/store/notifications/email-store.ts'
import type { RunStore } from '../../src/store/runs/run-store.ts'
import { silentLog } from '../silent-log.ts'

/** The stores with their surroundings and a view of their contents. */
export interface WorkUnderTest {
  runs: RunStore
  agentRuns: AgentRunStore
  emails: EmailStore
  dueTimes: DueTimes
  /** Sets the store's time. */
  setTime(now: Date): void
  /** Adds a pending run of a new query, always of the same database; returns its id. */
  addRun(): Promise<string>
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
  clear(): Promise<void>
  close(): Promise<void>
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

    const claimRun = (workerId: string) => store.runs.claim({ workerId, leaseMs, fullDatabaseConfigIds: [] })
    async function held(workerId: string) {
      const run = (await claimRun(workerId))!
      return { ...run, workerId }
    }

    describe('query runs', () => {
      test('are claimed oldest first, each once', async () => {
        const first = await store.addRun()
        at(1)
        const second = await store.addRun()
        expect(await claimRun('a')).toMatchObject({ id: first, leaseNumber: 1 })
        expect(await claimRun('b')).toMatchObject({ id: second, leaseNumber: 1 })
        expect(await claimRun('a')).toBeUndefined()
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
  })
}
