import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Ended, Item } from './kind.ts'

/**
 * Records outcomes in batches: items that end while one batch is being written form the next.
 *
 * While the store is unavailable, outcomes are kept and retried, even after their lease has expired. If no other worker has claimed
 * the item since, recording late avoids doing the work twice; otherwise the store rejects it. A failed batch moves to the back of the
 * queue and batches become smaller, so that one outcome that cannot be written does not block the others.
 */
export interface Recorder<Claimed extends Item, Outcome> {
  record(item: Claimed, outcome: Outcome): void
  /** Retries at once if the last write failed. A worker calls this before it claims, when the store may be back. */
  catchUp(): Promise<void>
  /** Resolves when everything is written, or when the store has been unavailable for `graceMs`. */
  stop(options: { graceMs: number }): Promise<void>
}

const retryAfterMs = 500

export function makeRecorder<Claimed extends Item, Outcome>(options: {
  clock: Clock
  log: Log
  name: string
  batchMax: number
  atOnce: number
  write(batch: Ended<Claimed, Outcome>[]): Promise<ReadonlySet<string>>
  /** Called for each outcome that was written or rejected. Must not throw. */
  onRecorded(ended: Ended<Claimed, Outcome>, isRecorded: boolean): void
}): Recorder<Claimed, Outcome> {
  interface Waiting {
    item: Claimed
    outcome: Outcome
    endedMs: number
  }
  const { clock, log } = options
  let waiting: Waiting[] = []
  let batchSize = options.batchMax
  const writers = new Set<Promise<void>>()
  /** Counts the writers that continue; one that is about to stop in favor of another is no longer counted. */
  let writerCount = 0
  let isGivingUp = false
  /** Set when the last write failed: one writer retries after a pause, and the others wait for it. */
  let behind: { pause: AbortController; tried: PromiseWithResolvers<void> } | undefined

  function startWriters() {
    // Terminates: each writer takes its first batch at once, or waits.
    while (waiting.length > 0 && !isGivingUp && writerCount < (behind ? 1 : options.atOnce)) {
      writerCount += 1
      const writer = keepWriting().finally(() => writers.delete(writer))
      writers.add(writer)
    }
  }

  async function keepWriting() {
    while (waiting.length > 0 && !isGivingUp) {
      if (behind) await clock.sleep(retryAfterMs, behind.pause.signal)
      const isWritten = await writeBatch()
      if (!isWritten && writerCount > 1) break
      if (isWritten) startWriters()
    }
    writerCount -= 1
  }

  async function writeBatch(): Promise<boolean> {
    const batch = waiting.slice(0, batchSize)
    waiting = waiting.slice(batch.length)
    const nowMs = clock.monotonicMs()
    const ended = batch.map(({ item, outcome, endedMs }) => ({ item, outcome, agoMs: nowMs - endedMs }))
    const tried = behind?.tried
    try {
      const recorded = await options.write(ended)
      // The store is back: callers that wait for another writer's retry can continue.
      behind?.tried.resolve()
      behind?.pause.abort()
      behind = undefined
      batchSize = Math.min(options.batchMax, batchSize * 2)
      for (const each of ended) options.onRecorded(each, recorded.has(each.item.id))
      return true
    } catch (error) {
      log.error({ err: error, count: batch.length }, `failed to record ${options.name} outcomes; retrying`)
      waiting.push(...batch)
      batchSize = Math.max(1, Math.floor(batch.length / 2))
      // Keep a state that another writer has set in the meantime: a caller may be waiting for it.
      if (!behind || behind.tried === tried) behind = { pause: new AbortController(), tried: Promise.withResolvers() }
      return false
    } finally {
      tried?.resolve()
    }
  }

  return {
    record(item, outcome) {
      waiting.push({ item, outcome, endedMs: clock.monotonicMs() })
      startWriters()
    },
    async catchUp() {
      if (!behind) return
      const { pause, tried } = behind
      pause.abort('retry now')
      await tried.promise
    },
    async stop({ graceMs }) {
      const done = new AbortController()
      const allWritten = (async () => {
        while (writers.size > 0) await Promise.all(writers)
        done.abort()
      })()
      await clock.sleep(graceMs, done.signal)
      isGivingUp = true
      behind?.pause.abort()
      await allWritten
    },
  }
}
