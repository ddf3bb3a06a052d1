import type { Clock } from '../../../ports/clock.ts'
import { fullBudget, type Pace, renewBudget, spendBudget, waitForBudgetMs } from './request-budget.ts'

/**
 * The requests to endpoints of which a worker doesn't know yet whether they answer. Each opens a connection, and a TLS handshake takes a
 * millisecond or more of the worker's only thread. After a restart these can be thousands, and requests to endpoints that answer would wait
 * behind all of their handshakes. Requests that begin together also time out together.
 *
 * So only a few begin at once. An endpoint that answers makes room for the next one, so endpoints that answer follow each other
 * quickly, and only those that hang are slowed down. Three of four requests are for the newest waiting delivery, one for the oldest: an
 * event that was just published doesn't wait behind a backlog, and nothing waits forever.
 */
export interface FirstRequests {
  /** Resolves when the request may begin, after `withinMs`, or when the signal aborts. Ids of deliveries begin with the time. */
  enter(delivery: { id: string; endpointId: string }, wait: { withinMs: number; signal: AbortSignal }): Promise<void>
  /** The endpoint answers: its waiting requests begin now. */
  answers(endpointId: string): void
}

export const firstRequestPace: Pace = { atOnce: 16, perSecond: 64 }

/** Of so many requests, one is for the oldest delivery. */
const turns = 4

interface Waiting {
  id: string
  endpointId: string
  untilMs: number
  begin(): void
}

export function makeFirstRequests({ clock }: { clock: Clock }): FirstRequests {
  let budget = fullBudget(firstRequestPace)
  /** The oldest first. */
  let waiting: Waiting[] = []
  let turn = 0
  let isWatching = false

  function beginNext() {
    if (!isWatching) budget = renewBudget(budget, firstRequestPace, clock.monotonicMs())
    while (waiting.length > 0 && budget.requests >= 1) {
      budget = spendBudget(budget, 1)
      turn = (turn + 1) % turns
      const next = turn > 0 ? waiting.pop() : waiting.shift()
      next!.begin()
    }
    if (waiting.length > 0 && !isWatching) void watch()
  }

  async function watch() {
    isWatching = true
    await clock.sleep(waitForBudgetMs(budget, firstRequestPace))
    isWatching = false
    // One request, however late the timer is: it is late if the thread is busy, and then the requests would make it busier.
    budget = { requests: 1, atMs: clock.monotonicMs() }
    // They are too late to begin, so they are not counted.
    release(({ untilMs }) => untilMs <= budget.atMs)
    beginNext()
  }

  function release(isReleased: (each: Waiting) => boolean) {
    const released = waiting.filter(isReleased)
    if (released.length === 0) return
    waiting = waiting.filter((each) => !isReleased(each))
    for (const each of released) each.begin()
  }

  return {
    enter({ id, endpointId }, { withinMs, signal }) {
      return new Promise((resolve) => {
        const entry: Waiting = {
          id,
          endpointId,
          untilMs: clock.monotonicMs() + withinMs,
          begin() {
            signal.removeEventListener('abort', leave)
            resolve()
          },
        }
        const leave = () => {
          waiting = waiting.filter((each) => each !== entry)
          resolve()
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting.splice(waiting.findLastIndex((each) => each.id <= id) + 1, 0, entry)
        beginNext()
      })
    },
    answers(endpointId) {
      release((each) => each.endpointId === endpointId)
      budget = spendBudget(budget, -1)
      beginNext()
    },
  }
}
