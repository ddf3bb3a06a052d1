import { useEffect, useState } from 'react'
import { makeTurnQueue } from '../content/turn-queue.ts'

/** All tiles draw through one queue. */
const drawing = makeTurnQueue((act) => requestAnimationFrame(act))

/** Whether it was this component's turn to draw since it became ready. */
export function useTurn(isReady: boolean): boolean {
  const [hadTurn, setHadTurn] = useState(false)
  useEffect(() => {
    return isReady && !hadTurn ? drawing.request(() => setHadTurn(true)) : undefined
  }, [isReady, hadTurn])
  return hadTurn
}
