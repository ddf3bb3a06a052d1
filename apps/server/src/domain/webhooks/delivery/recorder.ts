import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { AttemptRecord, DeliveryStore } from './delivery-store.ts'

/**
 * Writes down what came of attempts, in batches: what ends while one batch is being written makes the next.
 *
 * The store may be away for a while. What happened is kept and tried again, even past the lease: if nobody has claimed the
 * delivery meanwhile, recording late spares the receiver a duplicate; if somebody has, the store refuses. A batch that fails goes to the
 * end and batches become smaller, so that one record that cannot be written does not keep the others waiting.
 */
export interface Recorder {
  record(record: AttemptRecord): void
  /** How many are not written yet. */
  waiting(): number
  /** Tries again at once if the last try failed: for who is about to claim, when the store may be back. */
  catchUp(): Promise<void>
  /** Resolves when all is written, or the store has been away for `graceMs`. */
  stop(options: { graceMs: number }): Promise<void>
}

const batchMax = 500
const againAfterMs = 500

export function makeRecorder(deps: { store: DeliveryStore; clock: Clock; log: Log }): Recorder {
  const { store, clock, log } = deps
  let waiting: AttemptRecord[] = []
  let batchSize = batchMax
  let isGivingUp = false
  /** The last try failed. */
  let isBehind = false
  let pause = new AbortController()
  let writing: Promise<void> | undefined
  let trying: Promise<void> | undefined

  async function write() {
    while (waiting.length > 0 && !isGivingUp) {
      await tryOnce()
      if (!isBehind || isGivingUp) continue
      pause = new AbortController()
      await clock.sleep(againAfterMs, pause.signal)
    }
    writing = undefined
  }

  function tryOnce(): Promise<void> {
    trying ??= writeBatch().finally(() => (trying = undefined))
    return trying
  }

  async function writeBatch() {
    const batch = waiting.slice(0, batchSize)
    try {
      const { recorded } = await store.record(batch)
      if (isBehind) pause.abort('the store is back')
      isBehind = false
      waiting = waiting.slice(batch.length)
      batchSize = Math.min(batchMax, batchSize * 2)
      for (const { deliveryId } of batch) {
        if (!recorded.has(deliveryId)) log.warn({ deliveryId }, 'an attempt counts for nothing: its lease was gone')
      }
    } catch (error) {
      log.error({ err: error, attempts: batch.length }, 'could not record attempts; trying again')
      isBehind = true
      waiting = [...waiting.slice(batch.length), ...batch]
      batchSize = Math.max(1, Math.floor(batch.length / 2))
    }
  }

  return {
    record(record) {
      waiting.push(record)
      writing ??= write()
    },
    waiting: () => waiting.length,
    async catchUp() {
      if (isBehind && waiting.length > 0) await tryOnce()
    },
    async stop({ graceMs }) {
      const done = new AbortController()
      const written = (writing ?? Promise.resolve()).then(() => done.abort())
      await clock.sleep(graceMs, done.signal)
      isGivingUp = true
      pause.abort()
      await written
    },
  }
}
