import {
  type AgentRunStore,
  type ChatWriter,
  type DueTimes,
  LeaseLost,
  type EmailStore,
  type ArchiveJobStore,
  type FeedStore,
  type HistoryFillStore,
  type ReportDeliveryStore,
  type ReportJobStore,
  type RunStore,
  type SlackQuestionStore,
} from '@querypost/server/background-work'
import type { AgentRunLease } from '@querypost/server/model'
import type { MemoryAgentRuns } from '../store/memory-agent-runs.ts'
import type { MemoryDueTimes } from '../store/memory-due-times.ts'
import type { MemoryRunStore } from '../store/memory-runs.ts'
import type { Machine } from './machine.ts'
import type { CallStore } from './store-calls.ts'

/** The stores of the other kinds of work, for one machine. */
export const makeRunStorePort = (call: CallStore, store: MemoryRunStore, machine: Pick<Machine, 'isDead'>): RunStore => ({
  /** The server commits without waiting for the worker. So the claim and its commit can be lost apart from one another. */
  claim: (options) =>
    call('store.runs.claim', () => {
      const begun = store.beginClaim({ ...options, isConnected: () => !machine.isDead() })
      if (!begun) return undefined
      const committed = call('store.runs.commit', begun.commit).catch((error: unknown) => {
        begun.rollBack()
        throw error
      })
      // If the answer to the claim is lost, nothing waits for the commit.
      committed.catch(() => {})
      return { ...begun.run, committed }
    }),
  renew: (options) => call('store.runs.renew', () => store.renew(options)),
  readStops: (options) => call('store.runs.readStops', () => store.readStops(options)),
  recordProgress: (options) => call('store.runs.recordProgress', () => store.recordProgress(options)),
  end: (held, outcome, unstored) => call('store.runs.end', () => store.end(held, outcome, unstored)),
  failAbandoned: (options) => call('store.runs.failAbandoned', () => store.failAbandoned(options)),
})

export function makeAgentRunStorePort(call: CallStore, store: MemoryAgentRuns): AgentRunStore {
  /** A broken store publishes in the transaction after the end. */
  const andLeftOver = async <Result>(result: Result): Promise<Result> => {
    if (store.hasLeftOver()) await call('store.agentRuns.end', () => store.publishLeftOver())
    return result
  }
  return {
    claim: (options) => call('store.agentRuns.claim', () => store.claim(options)),
    renew: (options) => call('store.agentRuns.renew', () => store.renew(options)),
    readStops: (options) => call('store.agentRuns.readStops', () => store.readStops(options)),
    end: (held, ending) => call('store.agentRuns.end', () => store.end(held, ending)).then(andLeftOver),
    giveBack: (held) => call('store.agentRuns.giveBack', () => store.giveBack(held)).then(andLeftOver),
    recover: () => call('store.agentRuns.recover', (isPartial) => store.recover({ isPartial })).then(andLeftOver),
  }
}

export function makeDueTimesPort(call: CallStore, store: MemoryDueTimes): DueTimes {
  return {
    async claimBatch(options) {
      await call('store.dueTimes.claim', () => store.claimBatch(options))
      if (store.hasLeftOver()) await call('store.dueTimes.claim', () => store.finishStep())
    },
  }
}

export const makeEmailStorePort = (call: CallStore, store: EmailStore): EmailStore => ({
  claim: (options) => call('store.emails.claim', () => store.claim(options)),
  record: (email, decision, options) => call('store.emails.record', () => store.record(email, decision, options)),
})

export const makeReportJobStorePort = (call: CallStore, store: ReportJobStore): ReportJobStore => ({
  claim: (options) => call('store.reportJobs.claim', () => store.claim(options)),
  renew: (options) => call('store.reportJobs.renew', () => store.renew(options)),
  record: (job, decision, options) => call('store.reportJobs.record', () => store.record(job, decision, options)),
})

export const makeArchiveJobStorePort = (call: CallStore, store: ArchiveJobStore): ArchiveJobStore => ({
  claim: (options) => call('store.archiveJobs.claim', () => store.claim(options)),
  renew: (options) => call('store.archiveJobs.renew', () => store.renew(options)),
  record: (job, decision, options) => call('store.archiveJobs.record', () => store.record(job, decision, options)),
})

export const makeFeedStorePort = (call: CallStore, store: FeedStore): FeedStore => ({
  claim: (options) => call('store.feeds.claim', () => store.claim(options)),
  renew: (options) => call('store.feeds.renew', () => store.renew(options)),
  record: (job, decision, options) => call('store.feeds.record', () => store.record(job, decision, options)),
})

export const makeFillStorePort = (call: CallStore, store: HistoryFillStore): HistoryFillStore => ({
  claim: (options) => call('store.fills.claim', () => store.claim(options)),
  renew: (options) => call('store.fills.renew', () => store.renew(options)),
  record: (fill, decision, options) => call('store.fills.record', () => store.record(fill, decision, options)),
})

export const makeReportDeliveryStorePort = (call: CallStore, store: ReportDeliveryStore): ReportDeliveryStore => ({
  claim: (options) => call('store.reportDeliveries.claim', () => store.claim(options)),
  // Contents never change, so reading one is not worth a fault.
  readContent: (contentId) => store.readContent(contentId),
  record: (records) => call('store.reportDeliveries.record', () => store.record(records)),
})

export const makeSlackQuestionStorePort = (call: CallStore, store: SlackQuestionStore): SlackQuestionStore => ({
  claim: (options) => call('store.slackQuestions.claim', () => store.claim(options)),
  record: (record) => call('store.slackQuestions.record', () => store.record(record)),
})

export function makeChatWriterPort(call: CallStore, store: MemoryAgentRuns, lease: AgentRunLease): ChatWriter {
  const lost = () => new LeaseLost(`The agent run ${lease.runId} is no longer in the hands of this worker.`)
  return {
    async add(content) {
      const number = await call('store.chat.add', () => store.addMessage(lease, content))
      if (number === undefined) throw lost()
      return number
    },
    async change(number, content) {
      const outcome = await call('store.chat.change', () => store.changeMessage(lease, number, content))
      if (outcome === 'lease_lost') throw lost()
      if (outcome === 'no_such_message') throw new Error(`Run ${lease.runId} has not written message ${number}.`)
    },
  }
}
