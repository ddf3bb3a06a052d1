/**
 * Who may begin: work on the same thing one after the other, and no more than `atOnce` at a time in this process.
 * Those who wait begin in the order they came, except that nobody waits for a thing that others are at while there is
 * room.
 */
export interface Turns {
  /** Rejects with the signal's reason when it aborts before the turn comes. */
  inTurn<Result>(thing: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

interface Waiter {
  thing: string
  begin(): void
}

export function makeTurns({ atOnce }: { atOnce: number }): Turns {
  const busy = new Set<string>()
  const waiting: Waiter[] = []

  function beginNext(): void {
    for (const waiter of waiting.slice()) {
      if (busy.size >= atOnce) return
      if (busy.has(waiter.thing)) continue
      busy.add(waiter.thing)
      waiting.splice(waiting.indexOf(waiter), 1)
      waiter.begin()
    }
  }

  function comeTo(thing: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const leave = () => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(signal.reason as Error)
      }
      const waiter: Waiter = {
        thing,
        begin() {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(waiter)
      beginNext()
    })
  }

  return {
    async inTurn(thing, signal, work) {
      await comeTo(thing, signal)
      try {
        return await work()
      } finally {
        busy.delete(thing)
        beginNext()
      }
    },
  }
}
