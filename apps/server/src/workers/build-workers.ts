import { makeDigestAgent } from '../domain/agents/digest/digest-agent.ts'
import { makeModelAgent } from '../domain/agents/model/model-agent.ts'
import { withDigestFallback } from '../domain/agents/with-digest-fallback.ts'
import { withEvaluations } from '../domain/evaluations/evaluation-agent.ts'
import { makeChatWriter } from '../domain/chats/make-chat-writer.ts'
import type { AgentServices, PeopleServices, RetentionServices, WebhookServices } from '../domain/services.ts'
import { makeSqlDeliveryStore } from '../store/webhooks/sql-delivery-store.ts'
import type { Metrics } from '../domain/metrics.ts'
import type { Db } from '../store/db.ts'
import type { ResultLimits } from '../results/result-too-large.ts'
import { recordExhausted } from '../domain/webhooks/sending/record-exhausted.ts'
import { makeSqlAgentRunStore } from './agent-run-store.ts'
import { makeAgentRunWorker } from './agent-run-worker.ts'
import { makeAutomationWorker } from './automation-worker.ts'
import { makeDeliveryWorker } from './delivery-worker.ts'
import { makeMailWorker } from './mail-worker.ts'
import { makeSqlEmailStore } from '../store/notifications/email-store.ts'
import { makeSqlRunStore } from '../store/runs/run-store.ts'
import { makeRunWorker } from './run-worker.ts'
import { makeSweeper } from './sweeper.ts'

/** Wires all background workers without starting them: queries, agents, schedules, deliveries, e-mails and the sweeper. */
export function buildWorkers(options: {
  services: AgentServices & PeopleServices & WebhookServices & RetentionServices & { backgroundDb: Db }
  metrics: Metrics
  limits: ResultLimits
  runTimeoutSeconds: number
  agentTimeoutSeconds: number
  isStoreShared?: boolean
}) {
  const { metrics, limits, runTimeoutSeconds, agentTimeoutSeconds, isStoreShared } = options
  const services = { ...options.services, db: options.services.backgroundDb }
  const runs = makeRunWorker({
    ...services,
    runs: makeSqlRunStore(services),
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
    onAttempt: metrics.attemptEnded,
  })
  const automations = makeAutomationWorker(services)
  const digest = makeDigestAgent(services)
  const model = withEvaluations(services, makeModelAgent(services))
  const agentRuns = makeAgentRunWorker({
    ...services,
    agentRuns: makeSqlAgentRunStore(services),
    chatWriterOf: (lease) => makeChatWriter(services, lease),
    agents: { digest, model: withDigestFallback({ model, digest }) },
    timeLimitSeconds: agentTimeoutSeconds,
    isStoreShared,
    onAgentRunEnded: metrics.agentRunEnded,
  })
  const emails = services.mail && makeMailWorker({ ...services, emails: makeSqlEmailStore(services.db), mail: services.mail })
  const sweeper = makeSweeper({ ...services, onSwept: metrics.rowsSwept })
  return {
    start() {
      runs.start()
      deliveries.start()
      agentRuns.start()
      automations.start()
      emails?.start()
      sweeper.start()
    },
    async stop({ graceMs }: { graceMs: number }) {
      await automations.stop()
      // Agents stop before the run worker: a running agent waits for its query runs.
      await agentRuns.stop({ graceMs })
      await Promise.all([runs.stop({ graceMs }), deliveries.stop({ graceMs }), emails?.stop({ graceMs }), sweeper.stop()])
    },
  }
}
