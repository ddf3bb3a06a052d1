import type { Log } from '../../ports/log.ts'

/**
 * Jobs that a request starts but does not wait for, because waiting would reveal something: a slower sign-in would show that the
 * account exists. A failed job is logged and not retried; the person can ask again.
 */
export interface PendingJobs {
  start(what: string, act: () => Promise<void>): void
  /** Resolves when no job is running; for shutdown. */
  settled(): Promise<void>
}

export function makePendingJobs(deps: { log: Pick<Log, 'error'> }): PendingJobs {
  const running = new Set<Promise<void>>()
  async function run(what: string, act: () => Promise<void>) {
    try {
      await act()
    } catch (error) {
      deps.log.error({ err: error }, `${what} failed`)
    }
  }
  return {
    start(what, act) {
      const job = run(what, act).finally(() => running.delete(job))
      running.add(job)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
