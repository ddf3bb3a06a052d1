import { answerAsAsker } from '../domain/agents/answer-as-asker.ts'
import { makeDigestAgent } from '../domain/agents/digest/digest-agent.ts'
import { makeModelAgent } from '../domain/agents/model/model-agent.ts'
import { withDigestFallback } from '../domain/agents/with-digest-fallback.ts'
import { makeSlackQuestionPorts } from '../domain/slack-questions/make-slack-question-ports.ts'
import { withEvaluations } from '../domain/evaluations/evaluation-agent.ts'
import { archiveResult } from '../domain/history/archive-result.ts'
import { advanceFeed } from '../domain/history/feed/advance-feed.ts'
import { senderOf, targetOf } from '../domain/reports/delivery-target.ts'
import { prepareReport } from '../domain/reports/prepare-report.ts'
import { withRendering } from '../domain/reports/with-rendering.ts'
import { makeChatWriter } from '../domain/chats/make-chat-writer.ts'
import { runOnInputs } from '../domain/saved-queries/run-on-inputs.ts'
import type { PeopleServices, ReportServices, RetentionServices, WebhookServices } from '../domain/services.ts'
import { makeSqlDeliveryStore } from '../store/webhooks/sql-delivery-store.ts'
import type { StoreSession } from '../store/wakeups.ts'
import { makeSoleWorkerRegistry, makeSqlWorkerRegistry } from '../store/workers/worker-registry.ts'
import type { Metrics } from '../domain/metrics.ts'
import type { Tracer } from '../ports/telemetry/spans.ts'
import type { Db } from '../store/db.ts'
import type { ResultLimits } from '../results/result-too-large.ts'
import { recordExhausted } from '../domain/webhooks/sending/record-exhausted.ts'
import { makeSqlAgentRunStore } from './agent-run-store.ts'
import { makeAgentRunWorker } from './agent-run-worker.ts'
import { fillDay } from '../domain/history-fills/fill-day.ts'
import { makeHistoryFillWorker } from './history-fill-worker.ts'
import { makeSqlHistoryFillStore } from '../store/history/history-fills.ts'
import { makeArchiveWorker } from './archive-worker.ts'
import { makeAutomationWorker } from './automation-worker.ts'
import { makeDeliveryWorker } from './delivery-worker.ts'
import { makeSqlFeedStore } from './feed-store.ts'
import { makeFeedWorker } from './feed-worker.ts'
import { makeMailWorker } from './mail-worker.ts'
import { makeSqlArchiveJobStore } from '../store/history/archive-jobs.ts'
import { makeSqlEmailStore } from '../store/notifications/email-store.ts'
import { makePublishRunEnd } from '../domain/runs/publish-run-end.ts'
import { makeSqlRunStore } from '../store/runs/run-store.ts'
import { makeReportDeliveryWorker } from './report-delivery-worker.ts'
import { makeSqlReportDeliveryStore, makeSqlReportJobStore } from './report-stores.ts'
import { makeReportWorker } from './report-worker.ts'
import { makeRunWorker } from './run-worker.ts'
import { makeSqlSlackQuestionStore } from './slack-question-store.ts'
import { makeSlackQuestionWorker } from './slack-question-worker.ts'
import { makeSweeper } from './sweeper.ts'

/**
 * Wires all background workers without starting them: queries, agents, schedules, deliveries, e-mails, reports, questions from Slack, kept
 * results, change feeds and the sweeper.
 */
export function buildWorkers(options: {
  services: ReportServices & PeopleServices & WebhookServices & RetentionServices & { backgroundDb: Db; claimDb: Db; runDb: Db }
  metrics: Metrics
  limits: ResultLimits
  runTimeoutSeconds: number
  agentTimeoutSeconds: number
  isStoreShared?: boolean
  /** Undefined if the store is embedded. */
  session?: StoreSession | undefined
  /** Left out if there are no traces. */
  tracer?: Tracer | undefined
}) {
  const { metrics, limits, runTimeoutSeconds, agentTimeoutSeconds, isStoreShared, session } = options
  const services = { ...options.services, db: options.services.backgroundDb, tracer: options.tracer }
  const runs = makeRunWorker({
    ...services,
    runs: makeSqlRunStore({ ...services, publishRunEnd: makePublishRunEnd(services) }),
    runOnInputs: (run, request) => runOnInputs(services, run, request),
    limits,
    runTimeoutSeconds,
    isStoreShared,
    onRunEnded: metrics.runEnded,
  })
  const deliveries = makeDeliveryWorker({
    ...services,
    deliveries: makeSqlDeliveryStore({
      ...services,
      recordExhausted: (tx, record) => recordExhausted({ ...services, tx }, record),
    }),
    workerRegistry: session
      ? makeSqlWorkerRegistry({ db: services.db, session })
      : isStoreShared === false
        ? makeSoleWorkerRegistry(services)
        : undefined,
    onAttempt: metrics.attemptEnded,
  })
  const automations = makeAutomationWorker(services)
  const digest = makeDigestAgent(services)
  const model = withEvaluations(services, makeModelAgent(services))
  const agentRuns = makeAgentRunWorker({
    ...services,
    agentRuns: makeSqlAgentRunStore(services),
    chatWriterOf: (lease) => makeChatWriter(services, lease),
    agents: { digest: answerAsAsker(services, digest), model: answerAsAsker(services, withDigestFallback({ model, digest })) },
    timeLimitSeconds: agentTimeoutSeconds,
    isStoreShared,
    onAgentRunEnded: metrics.agentRunEnded,
  })
  const emails = services.mail && makeMailWorker({ ...services, emails: makeSqlEmailStore(services.db), mail: services.mail })
  const rendering = withRendering(services)
  const reports = makeReportWorker({
    ...services,
    reportJobs: makeSqlReportJobStore(services),
    prepare: (job, signal) => prepareReport(rendering, job, signal),
  })
  const reportDeliveries = makeReportDeliveryWorker({
    ...services,
    reportDeliveries: makeSqlReportDeliveryStore(services),
    senderOf: (target) => senderOf(services.channels, target),
    targetOf: (delivery) => targetOf(services, delivery),
  })
  const slackQuestions = makeSlackQuestionWorker({
    ...services,
    slackQuestions: makeSqlSlackQuestionStore(services),
    slackQuestionPorts: makeSlackQuestionPorts(services),
  })
  const archive = makeArchiveWorker({
    ...services,
    archiveJobs: makeSqlArchiveJobStore(services),
    archiveResult: (job, signal) => archiveResult(services, job, signal),
  })
  const feeds = makeFeedWorker({
    ...services,
    feeds: makeSqlFeedStore(services),
    advanceFeed: (job, signal) => advanceFeed(services, job, signal),
    onFeedAdvanced: metrics.feedAdvanced,
  })
  const historyFills = makeHistoryFillWorker({
    ...services,
    fills: makeSqlHistoryFillStore(services),
    fillDay: (fill, signal) => fillDay(services, fill, signal),
  })
  const sweeper = makeSweeper({ ...services, onSwept: metrics.rowsSwept })
  return {
    start() {
      runs.start()
      deliveries.start()
      agentRuns.start()
      automations.start()
      emails?.start()
      reports.start()
      reportDeliveries.start()
      slackQuestions.start()
      archive.start()
      feeds.start()
      historyFills.start()
      sweeper.start()
    },
    async stop({ graceMs }: { graceMs: number }) {
      await automations.stop()
      // Agents, reports and fills stop before the run worker: they wait for their query runs.
      await Promise.all([agentRuns.stop({ graceMs }), reports.stop({ graceMs }), historyFills.stop({ graceMs })])
      await Promise.all([
        runs.stop({ graceMs }),
        deliveries.stop({ graceMs }),
        emails?.stop({ graceMs }),
        reportDeliveries.stop({ graceMs }),
        slackQuestions.stop({ graceMs }),
        archive.stop({ graceMs }),
        feeds.stop({ graceMs }),
        sweeper.stop(),
      ])
    },
  }
}
