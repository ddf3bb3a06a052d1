/**
 * Hands out turns, one per frame, so that drawing many tiles doesn't block the page. Urgent requests come first, and otherwise the
 * oldest; a canceled request gives its turn to the next.
 */
export interface TurnQueue {
  /** Calls `act` when it is its turn. Returns a function that cancels the request. */
  request(turn: Turn): () => void
}

export interface Turn {
  act(): void
  /** Asked before each turn, because scrolling changes it. */
  isUrgent(): boolean
}

export function makeTurnQueue(nextFrame: (act: () => void) => void): TurnQueue {
  const waiting = new Set<Turn>()
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    nextFrame(() => {
      isScheduled = false
      const [oldest] = waiting
      const next = [...waiting].find(({ isUrgent }) => isUrgent()) ?? oldest
      if (next) {
        waiting.delete(next)
        next.act()
      }
      schedule()
    })
  }

  return {
    request(turn) {
      waiting.add(turn)
      schedule()
      return () => void waiting.delete(turn)
    },
  }
}
