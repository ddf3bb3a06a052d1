import { makeSemaphore, type Release } from '../ports/semaphore.ts'
import { stoppedBeforeStart } from './engine.ts'

/** Limits how many statements run on a database at once. The others wait in FIFO order. */
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
        throw stoppedBeforeStart()
      }),
    close: () => semaphore.close(stoppedBeforeStart()),
  }
}
