/**
 * Hands out turns, so that drawing many tiles doesn't block the page. Urgent requests come first and share a frame while its time
 * lasts, because each frame costs time of its own. The others get one turn per frame, the oldest first, so that scrolling stays smooth.
 * A canceled request gives its turn to the next.
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

export interface Frames {
  next(act: () => void): void
  /** For how long urgent turns start in this frame. The first always does. */
  turnsMs(): number
  nowMs(): number
}

export function makeTurnQueue(frames: Frames): TurnQueue {
  const waiting = new Set<Turn>()
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    frames.next(() => {
      isScheduled = false
      const endMs = frames.nowMs() + frames.turnsMs()
      const urgent = [...waiting].filter(({ isUrgent }) => isUrgent())
      for (const turn of urgent.length > 0 ? urgent : [...waiting].slice(0, 1)) {
        if (waiting.delete(turn)) turn.act()
        if (frames.nowMs() >= endMs) break
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
