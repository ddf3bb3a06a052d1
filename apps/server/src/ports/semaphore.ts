/**
 * Limits how much work runs at the same time.
 *
 * - Work holds one of `permits` *permits* while it runs. When none is left, callers wait and are served first come, first served.
 * - A caller whose signal aborts leaves the queue at once. Neither that nor work that throws loses a permit.
 * - A full queue (`waitingMax`) rejects at once, which is cheaper than letting callers wait in vain.
 */
export interface Semaphore {
  /** Rejects with the signal's reason, with `SemaphoreFull`, or with the reason given to `close`. */
  acquire(signal?: AbortSignal): Promise<Release>
  /** Runs the work under a permit. */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Rejects all current and later waiters. Running work keeps its permit. */
  close(reason: Error): void
}

/** Returns the permit. Calling it again has no effect. */
export type Release = () => void

export class SemaphoreFull extends Error {
  constructor() {
    super('Too many callers are waiting.')
  }
}

interface Waiter {
  grant(): void
  reject(reason: unknown): void
}

export function makeSemaphore({ permits, waitingMax = Infinity }: { permits: number; waitingMax?: number }): Semaphore {
  /** In order of arrival. */
  const waiting = new Set<Waiter>()
  let free = permits
  let closed: Error | undefined

  function makeRelease(): Release {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const [next] = waiting
      if (next) next.grant()
      else free += 1
    }
  }

  async function acquire(signal?: AbortSignal): Promise<Release> {
    if (closed) throw closed
    signal?.throwIfAborted()
    if (free > 0) {
      free -= 1
      return makeRelease()
    }
    if (waiting.size >= waitingMax) throw new SemaphoreFull()
    return new Promise((resolve, reject) => {
      const leave = () => waiter.reject(signal!.reason)
      const stopWaiting = () => {
        waiting.delete(waiter)
        signal?.removeEventListener('abort', leave)
      }
      const waiter: Waiter = {
        grant() {
          stopWaiting()
          resolve(makeRelease())
        },
        reject(reason) {
          stopWaiting()
          reject(reason)
        },
      }
      waiting.add(waiter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  return {
    acquire,
    async run(work, signal) {
      const release = await acquire(signal)
      try {
        // The signal may have aborted after the permit was granted.
        signal?.throwIfAborted()
        return await work()
      } finally {
        release()
      }
    },
    close(reason) {
      closed = reason
      for (const waiter of waiting) waiter.reject(reason)
    },
  }
}

/**
 * A semaphore that also runs the work of each *key* one at a time, in order. Only the first of a key competes for a permit, so keys
 * take turns: many callers of one key delay another key by one piece of work, not by all of theirs.
 */
export interface KeyedSemaphore {
  /** Rejects with the signal's reason or with `SemaphoreFull`. */
  run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

export function makeKeyedSemaphore(options: {
  permits: number
  waitingMax?: number
  waitingMaxPerKey?: number
}): KeyedSemaphore {
  const { permits, waitingMax = Infinity, waitingMaxPerKey } = options
  const all = makeSemaphore({ permits })
  const byKey = new Map<string, { semaphore: Semaphore; callers: number }>()
  let callers = 0
  return {
    async run(key, work, signal) {
      if (callers >= permits + waitingMax) throw new SemaphoreFull()
      const own = byKey.get(key) ?? {
        semaphore: makeSemaphore({ permits: 1, ...(waitingMaxPerKey !== undefined && { waitingMax: waitingMaxPerKey }) }),
        callers: 0,
      }
      byKey.set(key, own)
      own.callers += 1
      callers += 1
      try {
        return await own.semaphore.run(() => all.run(work, signal), signal)
      } finally {
        own.callers -= 1
        callers -= 1
        if (own.callers === 0) byKey.delete(key)
      }
    },
  }
}
