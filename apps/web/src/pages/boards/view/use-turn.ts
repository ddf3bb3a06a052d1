import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { makeTurnQueue } from '../content/turn-queue.ts'

/** Until somebody scrolls, nothing moves that has to stay smooth. */
const turnsMs = () => (window.scrollY === 0 ? 100 : 0)

/** All tiles draw through one queue. */
const drawing = makeTurnQueue({ next: (act) => requestAnimationFrame(act), nowMs: () => performance.now(), turnsMs })

/** Whether it was this component's turn to draw since it became ready. What is on the screen comes first. */
export function useTurn(element: RefObject<Element | null>, isReady: boolean): boolean {
  const [hadTurn, setHadTurn] = useState(false)
  useEffect(() => {
    if (!isReady || hadTurn) return
    // Rendered in its turn, so that the queue knows how long it took.
    const act = () => flushSync(() => setHadTurn(true))
    return drawing.request({ act, isUrgent: () => isOnScreen(element.current) })
  }, [element, isReady, hadTurn])
  return hadTurn
}

function isOnScreen(element: Element | null): boolean {
  if (!element) return false
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}
