import { makeSqlDeliveryStore } from './domain/webhooks/delivery/sql-delivery-store.ts'
import type { Metrics } from './metrics.ts'
import type { ResultLimits } from './results/result-too-large.ts'
import type { Services } from './services.ts'
import { makeDeliveryWorker } from './workers/delivery-worker.ts'
import { makeRunWorker } from './workers/run-worker.ts'
import { makeSweeper } from './workers/sweeper.ts'

/** The side that works: runs queries, delivers events, sweeps what is over. Wired, not started. */
export function buildWorker(options: {
  services: Services
  metrics: Metrics
  limits: ResultLimits
  runTimeoutSeconds: number
}) {
  const { services, metrics, limits, runTimeoutSeconds } = options
  const runs = makeRunWorker({ ...services, limits, runTimeoutSeconds, onRunEnded: metrics.runEnded })
  const deliveries = makeDeliveryWorker({
    ...services,
    deliveries: makeSqlDeliveryStore(services),
    onAttempt: metrics.attemptEnded,
  })
  const sweeper = makeSweeper(services)
  return {
    start() {
      runs.start()
      deliveries.start()
      sweeper.start()
    },
    async stop({ graceMs }: { graceMs: number }) {
      await Promise.all([runs.stop({ graceMs }), deliveries.stop({ graceMs }), sweeper.stop()])
    },
  }
}
