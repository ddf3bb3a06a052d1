import type { ExportOutcome } from './otlp-client.ts'
import type { EndedSpan } from './spans.ts'

/**
 * Spans that wait to be exported. Adding one never waits: when the queue is full, because the collector is slow or absent, spans are
 * dropped and counted.
 */
export interface SpanQueue {
  add(span: EndedSpan): void
  /** Sends what waits. Spans that the collector can't take now stay in the queue. */
  exportWaiting(): Promise<void>
  /** Drops what still waits when the process ends. */
  dropWaiting(): void
  droppedCount(): number
}

export const spanQueueLimits = { waitingMax: 2048, batchMax: 512 }

export function makeSpanQueue(options: {
  send(batch: readonly EndedSpan[]): Promise<ExportOutcome>
  /** Called when a whole batch waits. */
  onBatch(): void
  limits?: typeof spanQueueLimits
}): SpanQueue {
  const { waitingMax, batchMax } = options.limits ?? spanQueueLimits
  const waiting: EndedSpan[] = []
  let droppedCount = 0
  return {
    add(span) {
      if (waiting.length >= waitingMax) {
        droppedCount += 1
        return
      }
      waiting.push(span)
      // Only when the batch fills up, so that an absent collector is not called again for every span.
      if (waiting.length === batchMax) options.onBatch()
    },
    async exportWaiting() {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, batchMax)
        const outcome = await options.send(batch)
        if (outcome.kind === 'unavailable') return
        waiting.splice(0, batch.length)
        droppedCount += outcome.kind === 'refused' ? batch.length : outcome.rejectedCount
      }
    },
    dropWaiting() {
      droppedCount += waiting.splice(0).length
    },
    droppedCount: () => droppedCount,
  }
}
