import { makeSemaphore } from './semaphore.ts'

/** Runs tasks concurrently, at most `atOnce`: a producer of more tasks waits until there is room. */
export interface TaskGroup {
  /** Resolves when the task has started. After a failure no task starts any more: it rejects with that failure. */
  begin(task: () => Promise<void>): Promise<void>
  /** Resolves when no task is running, or rejects with the first failure. */
  finish(): Promise<void>
}

export function makeTaskGroup({ atOnce }: { atOnce: number }): TaskGroup {
  const semaphore = makeSemaphore({ permits: atOnce })
  const running = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  return {
    async begin(task) {
      const release = await semaphore.acquire()
      if (failure) {
        release()
        throw failure.error
      }
      const run = task()
        .catch((error: unknown) => void (failure ??= { error }))
        .finally(() => {
          running.delete(run)
          release()
        })
      running.add(run)
    },
    async finish() {
      await Promise.all(running)
      if (failure) throw failure.error
    },
  }
}
