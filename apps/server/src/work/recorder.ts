import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Ended, Item } from './kind.ts'

/**
 * Writes down what came of items, in batches: what ends while one batch is being written makes the next.
 *
 * The store may be away for a while. What happened is kept and tried again, even past the lease: if nobody has claimed the item
 * since, recording late spares everybody a repetition; if somebody has, the store refuses. A batch that fails goes to the end and
 * batches become smaller, so that one outcome that cannot be written does not keep the others waiting.
 */
export interface Recorder<Claimed extends Item, Outcome> {
  record(item: Claimed, outcome: Outcome): void
  /** Tries again at once if the last try failed: for a worker that is about to claim, when the store may be back. */
  catchUp(): Promise<void>
  /** Resolves when all is written, or the store has been away for `graceMs`. */
  stop(options: { graceMs: number }): Promise<void>
}

const againAfterMs = 500

export function makeRecorder<Claimed extends Item, Outcome>(options: {
  clock: Clock
  log: Log
  name: string
  batchMax: number
  atOnce: number
  write(batch: Ended<Claimed, Outcome>[]): Promise<ReadonlySet<string>>
  /** Told of each outcome that was written or refused. Must not throw. */
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
  /** Of those that go on writing: one that gives way to another is not counted any more. */
  let writerCount = 0
  let isGivingUp = false
  /** The last try failed: one writer tries again after a pause, and the others wait for it. */
  let behind: { pause: AbortController; tried: PromiseWithResolvers<void> } | undefined

  function startWriters() {
    // Each takes its first batch at once, or waits, so there is an end to it.
    while (waiting.length > 0 && !isGivingUp && writerCount < (behind ? 1 : options.atOnce)) {
      writerCount += 1
      const writer = keepWriting().finally(() => writers.delete(writer))
      writers.add(writer)
    }
  }

  async function keepWriting() {
    while (waiting.length > 0 && !isGivingUp) {
      if (behind) await clock.sleep(againAfterMs, behind.pause.signal)
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
      // The store answers: whoever waits for the next try of another writer need not wait any longer.
      behind?.tried.resolve()
      behind?.pause.abort()
      behind = undefined
      batchSize = Math.min(options.batchMax, batchSize * 2)
      for (const each of ended) options.onRecorded(each, recorded.has(each.item.id))
      return true
    } catch (error) {
      log.error({ err: error, count: batch.length }, `failed to record the end of a ${options.name}; trying again`)
      waiting.push(...batch)
      batchSize = Math.max(1, Math.floor(batch.length / 2))
      // One that another writer has set while this one was writing stays: somebody may wait for it.
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
      pause.abort('try now')
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
