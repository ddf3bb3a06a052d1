import { EngineError } from '../engine.ts'

/** At most `count` statements at once; the others wait for their *turn*, in the order in which they came. */
export interface Turns {
  /** Resolves with what gives the turn back; rejects (`stopped`) when the signal aborts before, or at `close`. */
  take(signal: AbortSignal): Promise<() => void>
  close(): void
}

const stopped = () => new EngineError('stopped', 'The statement was stopped before it began.')

export function openTurns(count: number): Turns {
  let free = count
  let isClosed = false
  const waiting: { begin(): void; leave(): void }[] = []

  function giver(): () => void {
    let isGiven = false
    return () => {
      if (isGiven) return
      isGiven = true
      const next = waiting.shift()
      if (next) next.begin()
      else free++
    }
  }

  return {
    take(signal) {
      if (signal.aborted || isClosed) return Promise.reject(stopped())
      if (free > 0) {
        free--
        return Promise.resolve(giver())
      }
      return new Promise((resolve, reject) => {
        const waiter = {
          begin() {
            signal.removeEventListener('abort', waiter.leave)
            resolve(giver())
          },
          leave() {
            const place = waiting.indexOf(waiter)
            if (place !== -1) waiting.splice(place, 1)
            signal.removeEventListener('abort', waiter.leave)
            reject(stopped())
          },
        }
        signal.addEventListener('abort', waiter.leave, { once: true })
        waiting.push(waiter)
      })
    },
    close() {
      isClosed = true
      // Each takes itself out.
      while (waiting[0]) waiting[0].leave()
    },
  }
}
