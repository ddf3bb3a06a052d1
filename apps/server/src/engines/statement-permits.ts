import { makeSemaphore, type Release } from '../ports/semaphore.ts'
import { stoppedBeforehand } from './engine.ts'

/** Bounds how many statements a database runs at once. The others wait, first come, first served. */
export interface StatementPermits {
  /** Rejects with `stopped` when the signal aborts first, and after `close`. */
  acquire(signal: AbortSignal): Promise<Release>
  close(): void
}

export function makeStatementPermits(count: number): StatementPermits {
  const semaphore = makeSemaphore({ permits: count })
  return {
    acquire: (signal) =>
      semaphore.acquire(signal).catch(() => {
        throw stoppedBeforehand()
      }),
    close: () => semaphore.close(stoppedBeforehand()),
  }
}
