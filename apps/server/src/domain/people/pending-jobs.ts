import type { Log } from '../../ports/log.ts'

/**
 * Jobs that a request starts and does not wait for. Waiting would reveal something: a sign-in that takes longer tells that the account
 * exists. A failed job is logged and not retried; the person can ask again.
 */
export interface PendingJobs {
  start(what: string, act: () => Promise<void>): void
  /** Resolves when no job is running any more: for shutting down. */
  settled(): Promise<void>
}

export function makePendingJobs(deps: { log: Pick<Log, 'error'> }): PendingJobs {
  const running = new Set<Promise<void>>()
  async function carryOut(what: string, act: () => Promise<void>) {
    try {
      await act()
    } catch (error) {
      deps.log.error({ err: error }, `could not ${what}`)
    }
  }
  return {
    start(what, act) {
      const job = carryOut(what, act).finally(() => running.delete(job))
      running.add(job)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
