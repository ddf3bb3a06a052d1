import { type AttemptDeps, makeAttempts } from '../domain/webhooks/delivery/attempt.ts'
import { type DeliveryEngineDeps, makeDeliveryEngine } from '../domain/webhooks/delivery/engine.ts'
import type { DeliveryStore } from '../domain/webhooks/delivery/delivery-store.ts'
import { newId } from '../domain/ids.ts'
import type { Wakeups } from '../store/wakeups.ts'
import { keepDoing } from './repeat.ts'

export interface DeliveryWorkerDeps
  extends AttemptDeps, Pick<DeliveryEngineDeps, 'random' | 'log' | 'onAttempt' | 'limits' | 'decide'> {
  deliveries: DeliveryStore
  wakeups: Wakeups
}

/** How long a delivery may wait that nobody announced: a retry that has fallen due, or one whose wake-up was lost. */
const lookEveryMs = 1_000
const holdEveryMs = 30_000

/** The delivery engine with its heartbeat: it looks when woken, when there is room again, and every second. */
export function makeDeliveryWorker(deps: DeliveryWorkerDeps) {
  const { clock, log, deliveries } = deps
  const engine = makeDeliveryEngine({
    ...deps,
    store: deliveries,
    makeAttempt: makeAttempts(deps),
    workerId: newId(deps.random, 'worker'),
    onRoom: () => claiming.look(),
  })
  const act = () => engine.claimWhileThereIsRoom()
  const claiming = keepDoing({ what: 'claim deliveries', everyMs: lookEveryMs, clock, log, act })
  const holding = keepDoing({
    what: 'hold deliveries of disabled endpoints',
    everyMs: holdEveryMs,
    clock,
    log,
    act: () => deliveries.holdLeftovers(clock.now()),
  })
  let stopListening: (() => void) | undefined
  return {
    start() {
      stopListening = deps.wakeups.listen('deliveries', claiming.look)
      claiming.start()
      holding.start()
    },
    async stop({ graceMs }: { graceMs: number }) {
      stopListening?.()
      engine.claimNoMore()
      await Promise.all([claiming.stop(), holding.stop()])
      await engine.stop({ graceMs })
    },
  }
}
