import { type RefObject, useEffect, useState } from 'react'
import { makeTurnQueue } from '../content/turn-queue.ts'

/** All tiles draw through one queue. */
const drawing = makeTurnQueue((act) => requestAnimationFrame(act))

/** Whether it was this component's turn to draw since it became ready. What is on the screen comes first. */
export function useTurn(element: RefObject<Element | null>, isReady: boolean): boolean {
  const [hadTurn, setHadTurn] = useState(false)
  useEffect(() => {
    return isReady && !hadTurn ? drawing.request({ act: () => setHadTurn(true), isUrgent: () => isOnScreen(element.current) }) : undefined
  }, [element, isReady, hadTurn])
  return hadTurn
}

function isOnScreen(element: Element | null): boolean {
  if (!element) return false
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}
