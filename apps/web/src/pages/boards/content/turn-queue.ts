/**
 * Hands out turns, one per frame, so that drawing many tiles doesn't block the page. Turns are given in the order of requests; a
 * canceled request gives its turn to the next.
 */
export interface TurnQueue {
  /** Calls `act` when it is its turn. Returns a function that cancels the request. */
  request(act: () => void): () => void
}

export function makeTurnQueue(nextFrame: (act: () => void) => void): TurnQueue {
  const waiting = new Set<{ act(): void }>()
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    nextFrame(() => {
      isScheduled = false
      const [next] = waiting
      if (next) {
        waiting.delete(next)
        next.act()
      }
      schedule()
    })
  }

  return {
    request(act) {
      const turn = { act }
      waiting.add(turn)
      schedule()
      return () => void waiting.delete(turn)
    },
  }
}
